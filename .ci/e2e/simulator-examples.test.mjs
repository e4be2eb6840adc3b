// The agents of docs/simulator/examples play, and none lets its model have the
// time.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { root, run } from './processes.mjs';
import { serveSimulator } from './simulator.mjs';

const examples = path.join(root, 'docs/simulator/examples');
const python = { cwd: path.join(examples, 'python'), env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } };

describe('examples of the simulator', () => {
  let server, work;

  before(async () => {
    work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
    server = await serveSimulator();
  });

  after(async () => {
    await server?.stop();
    await rm(work, { recursive: true });
  });

  const pharos = (...args) => run(path.join(root, 'bin/pharos'), args, { cwd: work });

  const agents = {
    Python: (...args) => run('python3', ['agent.py', ...args], python),
    Go: (...args) => run('go', ['run', './docs/simulator/examples/go', ...args]),
  };

  // clause: S-26, S-28, S-35
  test('agents in two languages that do the same play the same game', async () => {
    const games = [];
    for (const [name, agent] of Object.entries(agents)) {
      const end = JSON.parse(await agent(server.url, 'stage3-echoes@londone'));
      assert.equal(end.lifecycle, 'terminal', name);
      const log = await server.log(end.run_id);
      assert.equal(log.at(-1).reason, end.terminal_reason, name);
      assert.ok(log.some((line) => line.commands?.length > 0), name);
      games.push(log.map((line) => ({ ...line, run_id: null })));
    }
    assert.deepEqual(games[0], games[1]);
  });

  test('the loops are short', async () => {
    for (const file of ['python/agent.py', 'go/agent.go']) {
      const text = await readFile(path.join(examples, file), 'utf8');
      assert.ok(text.trimEnd().split('\n').length <= 60, file);
      assert.equal(text.match(/"next_tick"/g).length, 2, file); // where it is hidden, and where the runner calls it
    }
  });

  // clause: S-26
  test('a model of the agent in Python does not get the time', async () => {
    await run('python3', ['-m', 'unittest'], { ...python, env: { ...python.env, SIMULATOR: server.url } });
  });

  // clause: S-26
  test('a model of the agent in Go does not get the time', () => run('go', ['test', './docs/simulator/examples/go']));

  // clause: S-26
  test('a model in Inspect plays, and does not get the time', async () => {
    const { tools, ticks, losses, outcomes } = JSON.parse(await run('python3', ['.ci/e2e/inspect/play.py', server.url], { env: python.env }));
    assert.deepEqual(tools, ['building_to_coords', 'dispatch', 'list_scenarios', 'status', 'travel_time']);
    assert.equal(losses.length, 2);
    outcomes.forEach((o, i) => assert.equal(losses[i], 100 * o.casualties + 10 * o.buildings_lost));
    const second = ticks.lastIndexOf(0);
    for (const game of [ticks.slice(0, second), ticks.slice(second)]) assert.deepEqual(game, [...game.keys()]); // no tick was skipped
  });

  // What the guide tells to type, in its order: a game by hand, a log, an extraction and its grade.
  // clause: S-31, S-32
  test('the guide can be followed', async () => {
    const guide = await readFile(path.join(root, 'docs/simulator/student.md'), 'utf8');
    const [byHand, reading, extracting] = [...guide.matchAll(/```python\n([^]*?)```/g)].map(([, code]) => code);
    const printed = await run('python3', ['-c', byHand.replace('http://127.0.0.1:8083/mcp', server.url)], python);
    assert.match(printed, /^public_call .*structured_report\n/);
    assert.match(printed, /^1 moving$/m);
    assert.match(printed, /TICK_MISMATCH/);
    const end = JSON.parse(await agents.Python(server.url, 'stage2-voices@portside'));
    const told = await run('python3', ['-c', reading, server.logFile(end.run_id)], python);
    const { casualties, buildings_lost } = end.outcome;
    assert.ok(told.startsWith(`stage2-voices@portside 52001 ${end.terminal_reason} loss ${100 * casualties + 10 * buildings_lost}\n`), told);
    assert.match(told, /^\d+ ignited l\d+ 1$/m);
    assert.match(told, /^\d+ truck-\d l\d+ It was reported first\.$/m);
    assert.match(told, /^contact-\d+ fire is in truth: fire$/m);
    assert.match(await pharos('sim', 'replay', server.logFile(end.run_id)), /: the same, /);
    await pharos('sim', 'datasets', 'data');
    await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: path.join(work, 'data') });
    await run('python3', ['-c', extracting], { cwd: work });
    const graded = await pharos('sim', 'grade', 'data/test.jsonl', 'predictions.jsonl');
    assert.match(graded, /^incident_type +2000 /m);
    await assert.rejects(pharos('sim', 'grade', 'data/dev.jsonl', 'predictions.jsonl'), /not in the gold file/);
  });
});
