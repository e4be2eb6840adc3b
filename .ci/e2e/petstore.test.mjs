// A module of its own over a public document: mcpgen makes it, its README says
// how to go on, Prism plays its API, and clients that are not ours use its tools.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execPath } from 'node:process';

import { clients, succeeded } from './clients.mjs';
import { freePort, run, start } from './processes.mjs';

const here = import.meta.dirname;
const examples = path.join(here, 'node_modules/@readme/oas-examples/3.1/json');
const prism = path.join(here, 'node_modules/@stoplight/prism-cli/dist/index.js');

describe('petstore', () => {
  let work, mock, process, server;

  before(async () => {
    work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
    const project = path.join(work, 'petstore');
    const document = path.join(examples, 'petstore.json');
    await run('go', ['run', './internal/outside', '-C', work, path.join(here, 'project.sh'), document]);

    const port = await freePort();
    mock = await start(execPath, [prism, 'mock', '--dynamic', '--errors', '--port', `${port}`, document],
      { until: /Prism is listening/ });

    await writeFile(path.join(project, 'token'), 'of-the-gateway\n');
    const config = JSON.parse(await readFile(path.join(project, 'edge.json'), 'utf8'));
    config.listen = '127.0.0.1:0';
    config.upstreams.petstore = {
      url: `http://127.0.0.1:${port}`,
      credentials: { api_key: 'token', petstore_auth: 'token' },
    };
    await writeFile(path.join(project, 'edge.json'), JSON.stringify(config));
    process = await start(path.join(project, 'server'), ['-config', 'edge.json'],
      { cwd: project, until: /MCP: (\S+)/ });
    server = { url: process.match[1] };
  });

  after(async () => {
    await process?.stop();
    await mock?.stop();
    if (work) await rm(work, { recursive: true });
  });

  for (const [name, client] of Object.entries(clients)) {
    describe(name, () => {
      // clause: E-20
      test('lists the tools with their hints', async () => {
        const tools = await client.list(server);
        assert.equal(tools.length, 20);
        const hints = Object.fromEntries(tools.map((t) => [t.name, t.annotations]));
        assert.equal(hints.get_pet_by_id.readOnlyHint, true);
        assert.equal(hints.delete_pet.destructiveHint, true);
      });

      // clause: E-14, E-56
      test('reads a pet', async () => {
        const result = await client.call(server, 'get_pet_by_id', { path: { petId: 7 } });
        const envelope = succeeded(result);
        assert.equal(envelope.operation_id, 'getPetById');
        assert.equal(envelope.status, 200);
        assert.equal(typeof envelope.result.name, 'string');
        assert.ok(Array.isArray(envelope.result.photoUrls));
      });

      test('places an order', async () => {
        const order = { petId: 9007199254740991, quantity: 2, status: 'placed', complete: false };
        const envelope = succeeded(await client.call(server, 'place_order', { body: order }));
        assert.equal(envelope.operation_id, 'placeOrder');
        assert.equal(typeof envelope.result, 'object');
      });

      // clause: E-16
      test('hears of a failure', async () => {
        // The document declares no success for this operation, so Prism fails it.
        const pet = { name: 'Rex', photoUrls: [], category: { id: 1, name: 'dogs' }, status: 'available' };
        const result = await client.call(server, 'add_pet', { body: pet });
        assert.equal(result.isError, true);
        assert.equal(result.structuredContent.status, 405);
        assert.equal(result.structuredContent.error.code, 'upstream_405');
      });

      test('searches with a list', async () => {
        const envelope = succeeded(
          await client.call(server, 'find_pets_by_status', { parameters: { status: ['available', 'sold'] } }));
        assert.ok(Array.isArray(envelope.result));
      });

      test('uploads a file', async () => {
        const body = { media_type: 'application/octet-stream', base64: Buffer.from('picture').toString('base64') };
        succeeded(await client.call(server, 'upload_file', { path: { petId: 7 }, body }));
      });

      // clause: E-10
      test('is refused an unknown argument', async () => {
        const result = await client.call(server, 'get_pet_by_id', { path: { petId: 7, tail: 1 } });
        assert.equal(result.isError, true);
        assert.match(JSON.stringify(result.structuredContent.error), /tail/);
      });
    });
  }
});
