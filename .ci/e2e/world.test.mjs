// Clients of other people build in a world, look at it, and take it back.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { execPath } from 'node:process';

import { clients } from './clients.mjs';
import { root, run } from './processes.mjs';
import { Builder, serveWorld } from './world.mjs';

const usual = [
  'asset_list', 'build_apply', 'build_prepare', 'camera_capture', 'operation_cancel', 'operation_status', 'operation_undo_prepare', 'part_define',
  'part_get', 'project_context', 'region_changes', 'region_inspect', 'schematic_export', 'schematic_import_prepare',
];

const inspector = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** The Inspector's command line, which starts the MCP server itself. */
function overStdio(config) {
  const ask = async (...rest) => {
    const server = [path.join(root, 'bin/pharos'), 'serve', '-stdio', '-config', config, 'world-mcp'];
    const printed = await run(execPath, [inspector, '--cli', '--format', 'json', ...rest, '--', ...server]).catch((error) => {
      if (error.code !== 5) throw error; // the result says that the call failed
      return error.stdout;
    });
    return JSON.parse(printed).result;
  };
  return {
    list: async () => (await ask('--method', 'tools/list', '--strict')).tools,
    call: (name, args) => ask('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
  };
}

describe('world', () => {
  let server;

  before(async () => {
    server = await serveWorld({ services: ['camera'] });
  });

  after(() => server?.stop());

  const builders = {
    'TypeScript v1': async () => clients['TypeScript v1'].open(server),
    'TypeScript v2, newest protocol': async () => clients['TypeScript v2, newest protocol'].open(server),
    'Inspector over stdio': async () => {
      const { list, call } = overStdio(server.config);
      return { tools: await list(), call, close: async () => {} };
    },
  };
  for (const [i, [name, connect]] of Object.entries(builders).entries()) {
    describe(name, () => {
      const x = -40 + 16 * i; // each has a place of its own
      let connection, builder;

      before(async () => {
        connection = await connect();
        builder = new Builder(connection.tools, connection.call);
      });

      after(() => connection?.close());

      // clause: W-04, W-06
      test('sees what works, and never whose it is', async () => {
        assert.deepEqual(builder.tools.map((t) => t.name).sort(), usual);
        for (const { name, inputSchema } of builder.tools) {
          for (const member of ['player_id', 'project_id']) assert.ok(!(member in (inputSchema.properties ?? {})), name);
        }
        const { capabilities, project_id } = await builder.use('project_context');
        assert.deepEqual(capabilities.sort(), usual);
        assert.equal(project_id, 'default');
      });

      // clause: W-11, W-12, W-15, W-17, W-18
      test('inspects, prepares, applies, undoes', async () => {
        const min = { x, y: 65, z: 0 };
        const max = { x: x + 6, y: 69, z: 6 };
        const before = await builder.use('region_inspect', { min, max, detail: 'blocks' });
        assert.deepEqual(before.palette, [{ state: 'minecraft:air', count: 7 * 5 * 7 }]);

        const recipe = {
          version: 1,
          operations: [
            { type: 'box', min, max, block: 'minecraft:oak_planks', hollow: true },
            { type: 'line', from: { x: x + 3, y: 65, z: 0 }, to: { x: x + 3, y: 66, z: 0 }, block: 'minecraft:air' },
          ],
        };
        const plan = await builder.use('build_prepare', { recipe, dependencies: [{ x, y: 64, z: 0 }] });
        assert.equal(plan.changed_blocks, 7 * 5 * 7 - 5 * 3 * 5 - 2);
        const key = randomUUID();
        const built = await builder.apply(plan, key);
        assert.deepEqual([built.status, built.written, built.conflicts], ['applied', plan.changed_blocks, 0]);
        assert.equal((await builder.apply(plan, key)).operation_id, built.operation_id);
        await builder.refuse('build_apply', { plan_id: plan.plan_id, plan_hash: plan.plan_hash, idempotency_key: randomUUID() }, 'plan_used');
        const { recent } = await builder.use('project_context');
        assert.ok(recent.some((o) => o.idempotency_key === key && o.plan_id === plan.plan_id && o.status === 'applied'));

        const house = await builder.use('region_inspect', { min, max, detail: 'summary' });
        assert.deepEqual(house.palette.find((p) => p.state === 'minecraft:oak_planks').count, plan.changed_blocks);

        const part = await builder.use('part_define', { name: `House of ${name}`, operation_id: built.operation_id });
        assert.equal(part.count, plan.changed_blocks);
        await builder.refuse('build_prepare', {
          part_id: part.part_id,
          recipe: { version: 1, operations: [{ type: 'box', min: { ...min, y: 70 }, max: { ...min, y: 70 }, block: 'stone' }] },
        }, 'outside_part');

        const undo = await builder.use('operation_undo_prepare', { operation_id: built.operation_id });
        assert.equal(undo.changed_blocks, plan.changed_blocks);
        assert.equal((await builder.apply(undo)).status, 'applied');
        const { revision: _, ...again } = await builder.use('region_inspect', { min, max, detail: 'blocks' });
        const { revision: __, ...first } = before;
        assert.deepEqual(again, first);
        await builder.refuse('operation_undo_prepare', { operation_id: built.operation_id }, 'nothing_to_undo');
      });

      // clause: W-50, W-51
      test('looks at what it built', async () => {
        const min = { x, y: 65, z: -20 };
        const recipe = { version: 1, operations: [{ type: 'box', min, max: { x: x + 6, y: 69, z: -20 }, block: 'minecraft:red_concrete' }] };
        const built = await builder.apply(await builder.use('build_prepare', { recipe }));
        const pose = { x: x + 3.5, y: 66, z: -30.5, yaw: 0, pitch: 5, width: 1280, height: 720 };
        const seen = await builder.look({ pose, after_operation_id: built.operation_id });
        assert.deepEqual(seen.eye, { x: x + 3.5, y: 67.62, z: -30.5 });
        assert.ok(seen.chunksReady && seen.frameReady && seen.serverRevisionVerified && !seen.preview, JSON.stringify(seen));
        assert.deepEqual([...seen.png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
        assert.deepEqual([seen.png.readUInt32BE(16), seen.png.readUInt32BE(20)], [1280, 720]);
        const gate = await builder.look({ camera_id: 'gate' });
        assert.deepEqual([gate.png.readUInt32BE(16), gate.png.readUInt32BE(20)], [320, 180]);
        await builder.refuse('camera_capture', {}, 'invalid_request');
        await builder.refuse('camera_capture', { camera_id: 'tower' }, 'not_found');
        await builder.refuse('camera_capture', { capture_id: randomUUID() }, 'not_found');
        await builder.refuse('camera_capture', { pose: { ...pose, fov: 200 } }, 'invalid_request');
      });

      // clause: W-30, W-31, W-32
      test('saves a house and places it turned', async () => {
        const min = { x, y: 65, z: 20 };
        const stairs = { type: 'box', min, max: { ...min, x: x + 3 }, block: 'minecraft:oak_stairs[facing=east]' };
        assert.equal((await builder.apply(await builder.use('build_prepare', { recipe: { version: 1, operations: [stairs] } }))).status, 'applied');
        const saved = await builder.use('schematic_export', { name: `Stairs ${i}`, min, max: stairs.max });
        assert.deepEqual([saved.width, saved.height, saved.length, saved.blockCount], [4, 1, 1, 4]);
        const { assets } = await builder.use('asset_list', { query: `stairs ${i}` });
        assert.deepEqual(assets, [saved]);
        const target = { x, y: 65, z: 30 };
        const plan = await builder.use('schematic_import_prepare', { asset_id: saved.assetId, target, rotation: 90 });
        assert.equal((await builder.apply(plan)).status, 'applied');
        const { palette } = await builder.use('region_inspect', { min: target, max: { ...target, z: 33 }, detail: 'summary' });
        assert.deepEqual(palette.map((p) => [p.state, p.count]),
          [['minecraft:oak_stairs[facing=south,half=bottom,shape=straight,waterlogged=false]', 4]]);
      });

      // clause: W-11, W-13, W-19
      test('is told by a code what was wrong', async () => {
        const at = (min, block = 'minecraft:stone') => ({ recipe: { version: 1, operations: [{ type: 'box', min, max: min, block }] } });
        await builder.refuse('build_prepare', at({ x: 500, y: 70, z: 0 }), 'out_of_bounds');
        await builder.refuse('build_prepare', at({ x, y: 70, z: 0 }, 'minecraft:chest'), 'unsupported_block');
        await builder.refuse('region_changes', {}, 'resync_required');
        await builder.refuse('operation_status', { operation_id: randomUUID() }, 'not_found');
        await builder.refuse('build_prepare', at({ x, y: 70.5, z: 0 }), 'invalid_request');
      });
    });
  }

  // clause: W-03
  test('what is administrative is for its key alone', async () => {
    const { error, status } = await server.rpc('agent', 'recovery_review', { operation_id: randomUUID() });
    assert.deepEqual([status, error.code], [403, 'permission_denied']);
    const other = await server.rpc('admin', 'project_context');
    assert.deepEqual([other.status, other.error.code], [403, 'permission_denied']);
    const reviewed = await server.rpc('admin', 'recovery_review', { operation_id: randomUUID() });
    assert.deepEqual([reviewed.status, reviewed.error.code], [400, 'not_found']);
  });
});
