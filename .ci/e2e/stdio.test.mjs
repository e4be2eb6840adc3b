// pharos as a client starts it: over standard input and output.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

import { succeeded } from './clients.mjs';
import { root } from './processes.mjs';

const clients = {
  'TypeScript v1': [ClientV1, StdioV1, {}],
  'TypeScript v2, handshake': [ClientV2, StdioV2, {}],
  'TypeScript v2, newest protocol': [ClientV2, StdioV2, { versionNegotiation: { mode: 'auto' } }],
};

for (const [name, [Client, Transport, options]] of Object.entries(clients)) {
  describe(`stdio, ${name}`, () => {
    let work, client;

    before(async () => {
      work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
      const config = path.join(work, 'pharos.json');
      await writeFile(config, '{"database": {"state": "postgres"}}');
      client = new Client({ name: 'pharos-e2e', version: '1' }, options);
      await client.connect(new Transport({
        command: path.join(root, 'bin/pharos'), args: ['serve', '-stdio', '-config', config], stderr: 'ignore',
      }));
    });

    after(async () => {
      await client?.close();
      if (work) await rm(work, { recursive: true, maxRetries: 5 });
    });

    test('lists the tools and calls them', async () => {
      const { tools } = await client.listTools();
      assert.ok(tools.some((t) => t.name === 'create_support_ticket'));
      const at = { id: '11111111-1111-4111-8111-111111111111' };
      const created = succeeded(await client.callTool({
        name: 'create_support_ticket',
        arguments: {
          path: at,
          parameters: { 'Idempotency-Key': '22222222-2222-4222-8222-222222222222', 'If-Match': '0' },
          body: { title: 'A support request', body: 'Please investigate.' },
        },
      }));
      assert.equal(created.status, 201);
      const { result } = succeeded(await client.callTool({ name: 'get_support_ticket', arguments: { path: at } }));
      assert.equal(result.title, 'A support request');
    });

    test('hears of a mistake', async () => {
      const refused = await client.callTool({ name: 'get_support_ticket', arguments: { path: { id: 1 } } });
      assert.equal(refused.isError, true);
      assert.equal(refused.structuredContent.error.code, 'invalid_arguments');
    });
  });
}
