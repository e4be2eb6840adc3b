// The platform as `pharos serve` runs it: its own API behind its own edge.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { clients, succeeded } from './clients.mjs';
import { servePharos } from './pharos.mjs';

describe('support tickets', () => {
  let server;

  before(async () => {
    server = await servePharos({ mode: 'token' });
  });

  after(() => server?.stop());

  /** The contract's example of an input, as it is written there. */
  const example = {
    path: { id: '11111111-1111-4111-8111-111111111111' },
    parameters: { 'Idempotency-Key': '22222222-2222-4222-8222-222222222222', 'If-Match': '0' },
    body: { title: 'A support request', body: 'Please investigate.' },
  };

  for (const [name, client] of Object.entries(clients)) {
    describe(name, () => {
      // clause: E-10, E-12, E-14
      test('creates a ticket once, however often it is asked', async () => {
        const created = succeeded(await client.call(server, 'create_support_ticket', example));
        assert.equal(created.operation_id, 'createSupportTicket');
        const { result } = succeeded(await client.call(server, 'get_support_ticket', { path: example.path }));
        assert.equal(result.title, example.body.title);
        assert.equal(result.revision, 1);
      });

      // clause: E-16
      test('hears why a command was refused', async () => {
        succeeded(await client.call(server, 'create_support_ticket', example));
        const refused = await client.call(server, 'create_support_ticket', {
          ...example, parameters: { 'Idempotency-Key': randomUUID(), 'If-Match': '0' },
        });
        assert.equal(refused.isError, true);
        const { status, result } = refused.structuredContent;
        assert.equal(status, 409);
        assert.equal(result.status, 'rejected');
        assert.equal(result.rejection, 'already_exists');
      });

      // clause: E-11
      test('cannot leave its path', async () => {
        const result = await client.call(server, 'get_support_ticket', { path: { id: '../../healthz' } });
        assert.equal(result.isError, true);
        assert.equal(result.structuredContent.error.code, 'invalid_arguments');
      });
    });
  }

  test('admits nobody without the token', async () => {
    for (const client of Object.values(clients)) {
      await assert.rejects(client.list({ url: server.url }));
    }
  });

  test('lists its tools', async () => {
    const tools = await clients['TypeScript v1'].list(server);
    assert.ok(tools.some((t) => t.name === 'create_support_ticket'));
    assert.ok(tools.every((t) => t.inputSchema.type === 'object' && t.outputSchema.type === 'object'));
  });
});
