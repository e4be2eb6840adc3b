// The protocol's own conformance tests: those that ask any server, not one with
// the tools and resources of the suite itself.

import { after, before, describe, test } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execPath } from 'node:process';

import { run } from './processes.mjs';
import { servePharos } from './pharos.mjs';

const suite = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

const scenarios = [
  'server-initialize', 'ping', 'logging-set-level', 'tools-list', 'resources-list', 'prompts-list', 'caching',
  'dns-rebinding-protection', 'http-header-validation', 'sep-2164-resource-not-found',
  'input-required-result-unsupported-methods', 'input-required-result-validate-input',
];

describe('conformance', () => {
  let server, work;

  before(async () => {
    work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
    server = await servePharos({ mode: 'anonymous' });
  });

  after(async () => {
    await server?.stop();
    if (work) await rm(work, { recursive: true });
  });

  for (const scenario of scenarios) {
    test(scenario, () =>
      run(execPath, [suite, 'server', '--url', server.url, '--scenario', scenario], { cwd: work }));
  }
});
