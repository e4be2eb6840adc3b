// Two agents whose protocol others wrote build for a player.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { execPath } from 'node:process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { root, start } from './processes.mjs';
import { Village } from './village.mjs';
import { serveWorld } from './world.mjs';

/** Whether a process runs. */
async function runs(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z ');
  return !stat.includes(') Z ');
}

/** Waits for what is seen from outside alone. */
async function soon(is) {
  for (let i = 0; !await is(); i++) {
    assert.ok(i < 500, `${is} in vain`);
    await sleep(20);
  }
}

describe('world bridge', () => {
  let world, village, folder, config;

  /** Serves MCP and the bridge, with an agent, until the test ends; it asks already. */
  async function lead(t, command) {
    const before = village.clients.length;
    const bridge = await start('bin/pharos', ['serve', '-config', await config(command), 'world-mcp', 'world-bridge'], { until: /^world, agent: /m });
    t.after(() => bridge.stop());
    await soon(() => village.clients.length > before);
    return bridge;
  }
  const typescript = [execPath, path.join(import.meta.dirname, 'acp-agent.mjs')];

  before(async () => {
    world = await serveWorld({ services: ['camera'] });
    const projects = path.join(world.folder, 'pharos/projects.json');
    const book = JSON.parse(await readFile(projects, 'utf8'));
    book.projects[0].extensions = ['render'];
    await writeFile(projects, JSON.stringify(book));
    const key = (holder) => path.join(world.folder, 'pharos/keys', holder);
    village = await new Village(world.rpcURL, (await readFile(key('admin'), 'utf8')).trim()).open();
    folder = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
    config = async (command) => {
      const file = path.join(folder, 'pharos.json');
      await writeFile(file, JSON.stringify({
        world_mcp: { listen: '127.0.0.1:0', rpc: village.url, key_file: key('agent') },
        world_bridge: { command, key_file: key('admin') }, database: { state: 'none' },
      }));
      return file;
    };
  });

  after(async () => {
    village?.close();
    await world?.stop();
    if (folder) await rm(folder, { recursive: true });
    assert.deepEqual(village?.strangers, []);
  });

  // clause: W-40, W-42, W-50
  test('the TypeScript SDK: looks, plans, shows the plan, builds, looks, and tells', async (t) => {
    await lead(t, typescript);
    const turn = village.ask('build');
    assert.equal(await turn.end, undefined, turn.said);
    assert.match(turn.said, /^I see 125 of minecraft:air\nI plan 98 blocks\n/);
    assert.match(turn.said, /would look like this: 1 picture, image\/png, a preview: true\n/);
    assert.match(turn.said, /It is applied, with 98 blocks\nIt looks like this: 1 picture, image\/png, a preview: false\n/);
    const steps = village.methods.filter((m, i, all) => m !== all[i - 1] && m !== 'operation_status');
    assert.match(steps.join(' '), /region_inspect build_prepare camera_capture build_apply camera_capture$/);
  });

  // clause: W-42
  test('acp-go-sdk: the same by the demonstration agent', async (t) => {
    await lead(t, [path.join(root, 'bin/pharos'), 'demo-agent']);
    for (const [wish, says] of Object.entries({
      'a tower, please': /plan of a tower changes \d+ blocks[^]*picture of it[^]*The tower stands[^]*picture of it/, 'undo': /I took \d+ blocks back/,
    })) {
      const turn = village.ask(wish);
      assert.equal(await turn.end, undefined, turn.said);
      assert.match(turn.said, says);
    }
  });

  // clause: W-42
  test('refuses what is not the world’s', async (t) => {
    await lead(t, typescript);
    const turn = village.ask('shell');
    assert.equal(await turn.end, undefined, turn.said);
    assert.equal(turn.said.trim(), 'a shell: false, the world: true\na file: -32601, methods of the administrator: 0');
  });

  // clause: W-40, W-41
  test('stops in the middle of a turn, and goes on with the next', async (t) => {
    await lead(t, typescript);
    const turn = village.ask('wait');
    const [, pid] = await turn.until(/process (\d+) waits/);
    turn.stop();
    assert.equal(await turn.end, 'you stopped it');
    const next = village.ask('wait');
    assert.equal((await next.until(/process (\d+) waits/))[1], pid);
    next.stop();
    await next.end;
  });

  // clause: W-41
  test('outlives its agent', async (t) => {
    await lead(t, typescript);
    const turn = village.ask('wait');
    const [, pid] = await turn.until(/process (\d+) waits/);
    process.kill(pid, 'SIGKILL');
    assert.match(await turn.end, /ended in the middle of it; look at the world/);
    const next = village.ask('shell');
    assert.equal(await next.end, undefined, next.said);
  });

  // clause: W-41
  test('takes its agent with it, and repeats nothing', async (t) => {
    const bridge = await lead(t, typescript);
    const turn = village.ask('wait');
    const [, pid] = await turn.until(/process (\d+) waits/);
    await bridge.kill();
    await soon(async () => !await runs(pid));
    const { said } = turn;
    await lead(t, typescript);
    assert.equal(await turn.end, 'not repeated');
    const next = village.ask('shell');
    assert.equal(await next.end, undefined, next.said);
    assert.equal(turn.said, said);
  });
});
