// Clients that are not ours find out by themselves how to be let in, ask the
// person, and go on with what they were granted.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execPath } from 'node:process';

import { Asker, kinds } from './asker.mjs';
import { consent, serveAuthority } from './authority.mjs';
import { clients, succeeded } from './clients.mjs';
import { freePort } from './processes.mjs';

const suite = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Tools of an operator alone. */
const operators = ['assign_support_ticket', 'list_support_queue'];

describe('authority', () => {
  let server, memberScopes;

  before(async () => {
    server = await serveAuthority();
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', server.issuer));
    memberScopes = (await metadata.json()).scopes_supported;
  });

  after(() => server?.stop());

  for (const [name, kind] of Object.entries(kinds)) {
    describe(name, () => {
      const using = async (user, use) => {
        const asker = new Asker(kind, server, user);
        try {
          await asker.connect();
          await use(asker);
        } finally {
          await asker.close();
        }
      };

      test('asks the person once, and refreshes', () => using('member', async (asker) => {
        assert.deepEqual(asker.asked, [memberScopes]);
        assert.equal(asker.wallet.kept.tokens.scope, memberScopes.join(' '));
        const tools = await asker.tools();
        assert.equal(tools.length, 54 - operators.length);
        assert.ok(operators.every((tool) => !tools.includes(tool)));
        const { result } = succeeded(await asker.call('get_my_party'));
        assert.match(JSON.stringify(result), /Mia Member/);

        const { refresh_token: before } = asker.wallet.kept.tokens;
        asker.wallet.age();
        succeeded(await asker.call('get_my_party'));
        assert.notEqual(asker.wallet.kept.tokens.access_token, 'aged');
        assert.notEqual(asker.wallet.kept.tokens.refresh_token, before);
        assert.equal(asker.asked.length, 1);
      }));

      test('asks again after the grant is revoked', () => using('member', async (asker) => {
        const { client, tokens } = asker.wallet.kept;
        const body = new URLSearchParams({ token: tokens.refresh_token, client_id: client.client_id });
        const reply = await fetch(new URL('/revoke', server.issuer), { method: 'POST', body });
        assert.equal(reply.status, 200);
        asker.wallet.age();
        succeeded(await asker.call('get_my_party'));
        assert.equal(asker.asked.length, 2);
      }));

      test('gets an operator more when it is needed', () => using('operator', async (asker) => {
        // With a refresh token, v1 refreshes where it has to ask, and gives up.
        if (kind.stuck) {
          await assert.rejects(asker.call('list_support_queue'), kind.stuck);
          succeeded(await asker.call('get_my_party'));
          assert.equal(asker.asked.length, 1);
          delete asker.wallet.kept.tokens.refresh_token;
        }
        const before = await asker.tools();
        assert.ok(operators.every((tool) => !before.includes(tool)));
        succeeded(await asker.call('list_support_queue'));
        const all = [...memberScopes, 'support:admin'].sort();
        assert.deepEqual(asker.asked, [memberScopes, all]);
        assert.equal(asker.wallet.kept.tokens.scope, all.join(' '));
        assert.equal((await asker.tools()).length, 54);
        asker.wallet.age();
        succeeded(await asker.call('list_support_queue'));
        assert.equal(asker.asked.length, 2);
      }));

      test('gets a member no more', () => using('member', async (asker) => {
        await assert.rejects(asker.call('list_support_queue'));
        assert.equal(asker.wallet.kept.tokens.scope, memberScopes.join(' '));
        succeeded(await asker.call('get_my_party'));
      }));

      test('takes a no', async () => {
        const asker = new Asker(kind, server, 'member');
        await assert.rejects(asker.dial(), kind.Unauthorized);
        const { returned } = await consent(asker.wallet.kept.to, 'member', 'deny');
        assert.equal(returned.searchParams.get('error'), 'access_denied');
        assert.equal(returned.searchParams.get('iss'), server.issuer);
        assert.equal(returned.searchParams.has('code'), false);
      });
    });
  }

  for (const [name, client] of Object.entries(clients)) {
    test(`${name}, with a token of its own`, async () => {
      const asker = new Asker(kinds['TypeScript v2, handshake'], server, 'member');
      await asker.connect();
      await asker.close();
      const holder = { url: server.url, token: asker.wallet.kept.tokens.access_token };
      assert.equal((await client.list(holder)).length, 54 - operators.length);
      succeeded(await client.call(holder, 'get_my_party', {}));
    });
  }

  test('conformance of the authorization server', async () => {
    const port = await freePort();
    const back = `http://127.0.0.1:${port}/callback`;
    const client = await register(server, back);
    const work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
    try {
      await conforms(work, ['--url', server.issuer, '--client-id', client, '--resource', server.url, '--port', `${port}`],
        async (url) => fetch((await consent(url, 'member', 'allow', back)).returned));
    } finally {
      await rm(work, { recursive: true });
    }
  });
});

/** Registers a client and returns its id. */
async function register(server, back) {
  const reply = await fetch(new URL('/register', server.issuer), {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ redirect_uris: [back] }),
  });
  assert.equal(reply.status, 201);
  return (await reply.json()).client_id;
}

/**
 * Runs the conformance tests of authorization servers, which ask a person to
 * open a URL. Every check has to succeed: what is skipped or warned of does not.
 */
async function conforms(work, args, open) {
  const asked = [suite, 'authorization', ...args, '-o', work];
  const child = spawn(execPath, asked, { cwd: work, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  let opened;
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    const url = /^(http:\S+\/authorize\?\S+)\n/m.exec(printed)?.[1];
    if (url && !opened) opened = open(url).catch((error) => { child.kill(); throw error; });
  });
  const [status] = await once(child, 'exit');
  await opened;
  assert.equal(status, 0, printed);
  const checks = [];
  for (const file of await readdir(work, { recursive: true })) {
    if (file.endsWith('checks.json')) checks.push(...JSON.parse(await readFile(path.join(work, file), 'utf8')));
  }
  assert.deepEqual(checks.map((check) => [check.name, check.status]).sort(), [
    ['AuthorizationCodeGrant', 'SUCCESS'],
    ['AuthorizationServerMetadata', 'SUCCESS'],
    ['AuthorizationServerMetadataCIMD', 'SUCCESS'],
  ]);
}
