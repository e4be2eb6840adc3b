// Clients of other people play the game, from the first call to its end.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';

import { clients, fallback } from './clients.mjs';
import { Controller, players, serveSimulator } from './simulator.mjs';

const tools = ['building_to_coords', 'dispatch', 'list_scenarios', 'next_tick', 'start_episode', 'status', 'travel_time'];

describe('simulator', () => {
  let server;

  before(async () => {
    server = await serveSimulator();
  });

  after(() => server?.stop());

  for (const name of Object.keys(players)) {
    describe(name, () => {
      let controller;

      before(async () => {
        controller = await Controller.connect(name, server.url);
      });

      after(() => controller?.connection.close());

      // clause: S-06, S-07, S-20, S-22
      test('begins in the lobby', async () => {
        assert.deepEqual(controller.names, tools);
        const { lifecycle, run_id, scenarios } = await controller.use('list_scenarios');
        assert.deepEqual([lifecycle, run_id, scenarios.length], ['lobby', null, 15]);
        assert.equal((await controller.use('status')).lifecycle, 'lobby');
        await controller.refuse('next_tick', { expected_tick: 0 }, 'WRONG_LIFECYCLE');
      });

      // clause: S-14, S-21, S-25, S-26, S-28
      test('plays a whole episode', async () => {
        const heard = [];
        let result = await controller.use('start_episode', { scenario_id: 'stage2-voices@oldtown', seed: 52007 });
        for (const tick of [0, 1, 2]) {
          assert.equal(result.tick, tick);
          assert.deepEqual((await controller.use('status')).observation, result.observation);
          result = await controller.turn(result.observation, heard);
        }
        result = await controller.finish(result, heard);
        assert.equal(result.lifecycle, 'terminal');
        assert.ok(['resolved', 'tick_limit'].includes(result.terminal_reason));

        const status = await controller.use('status');
        assert.deepEqual([status.lifecycle, status.terminal_reason, status.outcome], ['terminal', result.terminal_reason, result.outcome]);
        const log = await server.log(result.run_id);
        const end = log.at(-1);
        assert.deepEqual([end.type, end.reason, end.tick, end.casualties, end.buildings_lost],
          ['end', result.terminal_reason, result.tick, result.outcome.casualties, result.outcome.buildings_lost]);
        assert.equal(log.length, result.tick + 3); // the header, each tick from 0 on, the end
        assert.ok(log.some((line) => line.commands?.length > 0));
        assert.deepEqual([...controller.used].sort(), tools.filter((tool) => tool !== 'travel_time'));
      });

      // clause: S-11, S-23, S-29
      test('is told by a code what was wrong', async () => {
        const { tick } = await controller.use('start_episode', { scenario_id: 'stage1-basic@londone' });
        const { message } = await controller.refuse('next_tick', { expected_tick: tick + 7 }, 'TICK_MISMATCH');
        assert.match(message, /tick 0/);
        await controller.refuse('building_to_coords', { building_id: 'l99999' }, 'UNKNOWN_BUILDING');
        await controller.refuse('start_episode', { scenario_id: 'stage9@atlantis' }, 'UNKNOWN_SCENARIO');
        const destination = { x: 1, y: 1, z: 1 };
        const order = { expected_tick: tick, vehicle_id: 'truck-1', incident_id: 'a', rationale: 'Why not.', destination };
        await controller.refuse('dispatch', order, 'INVALID_ARGUMENT');
        await controller.refuse('dispatch', { ...order, destination: { x: 1e6, y: 1 } }, 'OUT_OF_BOUNDS');
        await controller.refuse('dispatch', { ...order, destination: { x: 300, y: 300 }, vehicle_id: 'truck-9' }, 'UNKNOWN_VEHICLE');
        assert.equal((await controller.use('status')).tick, tick);
        const way = await controller.use('travel_time', { from: { vehicle_id: 'truck-1' }, to: { vehicle_id: 'truck-2' } });
        assert.ok(way.eta_ticks > 0);
      });

      // clause: S-02, S-03
      test('is displaced by another, and comes back by connecting again', async () => {
        const { run_id } = await controller.use('status');
        for (const other of Object.keys(players).filter((player) => player !== name)) {
          const newer = await Controller.connect(other, server.url);
          try {
            for (const tool of ['status', 'list_scenarios']) await controller.refuse(tool, {}, 'CONTROLLER_DISPLACED');
            await controller.refuse('next_tick', { expected_tick: 0 }, 'CONTROLLER_DISPLACED');
            assert.equal((await newer.use('status')).lifecycle, 'lobby');
          } finally {
            await newer.connection.close();
          }
        }
        assert.equal((await server.log(run_id)).at(-1).reason, 'aborted:displaced');
        await controller.connection.close();
        controller = await Controller.connect(name, server.url);
        assert.equal((await controller.use('status')).lifecycle, 'lobby');
      });
    });
  }

  const inspectors = {
    'Inspector, handshake': clients['Inspector, handshake'], 'Inspector, newest protocol first': fallback['Inspector, newest protocol first'],
  };
  for (const [name, inspector] of Object.entries(inspectors)) {
    // clause: S-07, S-20, S-29
    test(`${name}, lists and calls`, async () => {
      assert.deepEqual((await inspector.list(server)).map((tool) => tool.name).sort(), tools);
      const { structuredContent } = await inspector.call(server, 'list_scenarios', {});
      assert.equal(structuredContent.scenarios.length, 15);
      const started = await inspector.call(server, 'start_episode', { scenario_id: 'stage1-basic@portside' });
      assert.equal(started.structuredContent.lifecycle, 'running');
      const refused = await inspector.call(server, 'next_tick', { expected_tick: 0 }); // each call connects anew
      assert.deepEqual([refused.isError, refused.structuredContent.error.code], [true, 'WRONG_LIFECYCLE']);
    });
  }

  test('every run has its end', async () => {
    for (const name of await server.logs()) {
      const log = await server.log(name.replace('.jsonl', ''));
      assert.equal(log.filter((line) => line.type === 'end').length, 1, name);
    }
  });
});
