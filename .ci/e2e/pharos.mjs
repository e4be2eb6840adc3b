// Starts pharos on free ports, with a configuration of the test's own.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { run, start } from './processes.mjs';

/**
 * Serves the platform and its edge over a database of its own; authentication is
 * as in its configuration. The result holds the URL, the token where one was
 * made, administer, which gives what a `pharos platform` command prints, a
 * folder for files, and stop.
 */
export async function servePharos(authentication) {
  const work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
  const config = path.join(work, 'pharos.json');
  await writeFile(config, JSON.stringify({
    edge: { listen: '127.0.0.1:0', authentication },
    platform: { listen: '127.0.0.1:0', private_listen: '127.0.0.1:0' },
    database: { state: 'postgres' },
  }));
  const running = await start('bin/pharos', ['serve', '-config', config, 'platform', 'edge'], { until: /MCP: (\S+)[^]*^}/m });
  return {
    url: running.match[1],
    token: /Bearer ([^"]+)"/.exec(running.output)?.[1],
    folder: work,
    administer: (...command) => run('bin/pharos', ['platform', '-config', config, ...command]),
    stop: async () => {
      await running.stop();
      await rm(work, { recursive: true });
    },
  };
}
