// The protocol's own conformance tests, at both of its versions: everything that
// they require of an edge with the tools that they ask for, and of the plain edge
// what does not need them.

import { after, describe, test } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execPath } from 'node:process';

import { root, run, start } from './processes.mjs';
import { servePharos } from './pharos.mjs';

const here = import.meta.dirname;
const suite = path.join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Starts the edge that has the tests' own tools. */
async function serveFixtures(work, ...args) {
  const program = path.join(work, 'conformance');
  await run('go', ['build', '-o', program, './internal/conformance'], { cwd: root });
  const running = await start(program, args, { until: /MCP: (\S+)[^]*^}/m });
  return { url: running.match[1], stop: running.stop };
}

/** Asks for all that a version requires; what the tests print is in the error. */
async function conforms(work, server, version, ...args) {
  const asked = [suite, 'server', '--url', server.url, '--requirements', version, '-o', work, ...args];
  try {
    await run(execPath, asked, { cwd: work });
  } catch (error) {
    throw new Error(`${version}:\n${error.stdout?.split('=== SUMMARY ===').at(-1) ?? error}`);
  }
}

describe('conformance', async () => {
  const work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
  after(() => rm(work, { recursive: true }));

  const within = async (starting, use) => {
    const server = await starting;
    try {
      await use(server);
    } finally {
      await server.stop();
    }
  };

  test('2026-07-28, without sessions', () =>
    within(serveFixtures(work), (server) => conforms(work, server, '2026-07-28')));

  test('2025-11-25, with sessions', () =>
    within(serveFixtures(work, '-stateful'), (server) => conforms(work, server, '2025-11-25')));

  for (const version of ['2026-07-28', '2025-11-25']) {
    test(`${version}, of pharos serve`, () =>
      within(servePharos({ mode: 'anonymous' }), (server) =>
        conforms(work, server, version, '--expected-failures', path.join(here, `conformance-${version}.yml`))));
  }
});
