// Serves the simulator on a free port, and plays there as clients do.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { clients, fallback } from './clients.mjs';
import { start } from './processes.mjs';
import { Toolbox } from './toolbox.mjs';

/**
 * Serves the simulator, with its logs in a folder of its own. The result holds
 * url, of MCP; display, of the pages; log, which reads that of a run; logs, which
 * lists them; and stop.
 */
export async function serveSimulator() {
  const work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
  const runs = path.join(work, 'runs');
  const config = path.join(work, 'pharos.json');
  await writeFile(config, JSON.stringify({ simulator: { listen: '127.0.0.1:0', runs } }));
  const running = await start('bin/pharos', ['serve', '-config', config, 'simulator'], { until: /^MCP: (\S+)[^]*^}/m });
  const logFile = (run) => path.join(runs, `${run}.jsonl`);
  return {
    url: running.match[1],
    display: new URL(running.match[1]).origin,
    runs, logFile, config,
    log: async (run) => (await readFile(logFile(run), 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line)),
    logs: async () => (await readdir(runs)).filter((name) => name.endsWith('.jsonl')),
    stop: async () => {
      await running.stop();
      await rm(work, { recursive: true });
    },
  };
}

/** The clients that can play, by their names. */
export const players = Object.fromEntries(['TypeScript v1', 'TypeScript v2, handshake', 'TypeScript v2, newest protocol first']
  .map((name) => [name, clients[name] ?? fallback[name]]));

/** A controller: it judges each result by the schema that the tool has. */
export class Controller extends Toolbox {
  /** Connects a client, by its name among the players. */
  static async connect(name, url) {
    return new Controller(await players[name].open({ url }));
  }

  /** Calls a tool; returns {result} or {error}, the same in both forms. */
  async call(name, args = {}) {
    const { isError = false, structuredContent, content } = await this.connection.call(name, args);
    const said = `${name}: ${JSON.stringify(structuredContent ?? content)}`;
    assert.deepEqual(content.map((c) => c.type), ['text'], said);
    if (isError) {
      const { error, ...rest } = structuredContent;
      assert.deepEqual(rest, {}, said);
      assert.equal(content[0].text, `${error.code}: ${error.message}`);
      return { error };
    }
    const valid = this.outputs.get(name);
    assert.ok(valid(structuredContent), `${said}: ${JSON.stringify(valid.errors)}`);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent, said);
    return { result: structuredContent };
  }

  /** Calls a tool that must succeed; returns its result. */
  async use(name, args) {
    const { result, error } = await this.call(name, args);
    assert.ok(result, `${name}: ${JSON.stringify(error)}`);
    this.used.add(name);
    return result;
  }

  /** Calls a tool that must fail with a code. */
  async refuse(name, args, code) {
    const { error } = await this.call(name, args);
    assert.equal(error?.code, code, name);
    return error;
  }

  /** Sends a vehicle to a building. */
  async send(tick, vehicle_id, building_id) {
    const { point } = await this.use('building_to_coords', { building_id });
    return this.use('dispatch', {
      expected_tick: tick, vehicle_id, destination: point, incident_id: `fire-${building_id}`,
      rationale: 'The first report of it.',
    });
  }

  /**
   * Lives through a tick as a simple player does: each engine that is free goes
   * to the next building that was reported. Returns what next_tick says.
   */
  async turn(observation, heard, tokens) {
    for (const { reported_location: at, source_type } of observation.contacts) {
      if (source_type !== 'vehicle_sensor' && at.kind === 'building_id') heard.push(at.building_id);
    }
    for (const v of observation.vehicles) {
      if (v.status === 'idle' && heard.length > 0) await this.send(observation.tick, v.vehicle_id, heard.shift());
    }
    return this.use('next_tick', { expected_tick: observation.tick, ...(tokens && { tokens }) });
  }

  /** Plays on until the end; returns the last result. */
  async finish(result, heard = []) {
    while (result.lifecycle === 'running') result = await this.turn(result.observation, heard);
    return result;
  }
}
