// The clients of other people, behind one shape: each lists the tools of a
// server, {url, token}, and calls one of them.

import assert from 'node:assert/strict';
import path from 'node:path';
import { execPath } from 'node:process';

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';

import { run } from './processes.mjs';

const self = { name: 'pharos-e2e', version: '1' };

/** go-sdk's client, one process for each question. */
function goClient(protocol) {
  const ask = async ({ url, token = '' }, ...rest) =>
    JSON.parse(await run('go', ['run', './internal/mcpclient', '-protocol', protocol, '-token', token, url, ...rest]));
  return {
    list: async (server) => (await ask(server)).tools,
    call: async (server, name, args) => (await ask(server, name, JSON.stringify(args))).result,
  };
}

/**
 * One of the TypeScript SDK's clients. It asks on one connection for each
 * question, or on the one that open makes: {tools, call, close}.
 */
function typescript(Client, Transport, options, era) {
  // The list comes first: the client checks results against the output
  // schemas that it has seen.
  const open = async ({ url, token }) => {
    const client = new Client(self, options);
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
    try {
      if (era) assert.equal(client.getProtocolEra(), era);
      const tools = [];
      let cursor;
      do {
        const page = await client.listTools({ cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor);
      return { tools, call: (name, args) => client.callTool({ name, arguments: args }), close: () => client.close() };
    } catch (error) {
      await client.close();
      throw error;
    }
  };
  const opened = async (server, use) => {
    const connection = await open(server);
    try {
      return await use(connection);
    } finally {
      await connection.close();
    }
  };
  return {
    open,
    list: (server) => opened(server, ({ tools }) => tools),
    call: (server, name, args) => opened(server, ({ call }) => call(name, args)),
  };
}

const inspector = path.join(import.meta.dirname,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** The Inspector's command line, which also judges whether schemas are portable. */
function inspect(era) {
  const ask = async ({ url, token }, ...rest) => {
    const args = [inspector, '--cli', url, '--transport', 'http', '--protocol-era', era, '--format', 'json'];
    if (token) args.push('--header', `Authorization: Bearer ${token}`);
    const printed = await run(execPath, [...args, ...rest]).catch((error) => {
      if (error.code !== 5) throw error; // the result says that the call failed
      return error.stdout;
    });
    return JSON.parse(printed).result;
  };
  return {
    list: async (server) => (await ask(server, '--method', 'tools/list', '--strict')).tools,
    call: (server, name, args) =>
      ask(server, '--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
  };
}

/** Every client, by the name that its tests carry. */
export const clients = {
  'go-sdk, 2025-11-25': goClient('2025-11-25'),
  'go-sdk, 2026-07-28': goClient('2026-07-28'),
  'TypeScript v1': typescript(ClientV1, TransportV1, {}),
  'TypeScript v2, handshake': typescript(ClientV2, TransportV2, {}, 'legacy'),
  'TypeScript v2, newest protocol': typescript(ClientV2, TransportV2, { versionNegotiation: { mode: 'auto' } }, 'modern'),
  'Inspector, handshake': inspect('legacy'),
  'Inspector, newest protocol': inspect('modern'),
};

/** Clients that ask for the newest protocol, and take an older one where there is no other. */
export const fallback = {
  'TypeScript v2, newest protocol first': typescript(ClientV2, TransportV2, { versionNegotiation: { mode: 'auto' } }, 'legacy'),
  'Inspector, newest protocol first': inspect('auto'),
};

/** Asserts that a call succeeded and says the same twice; returns the envelope. */
export function succeeded(result) {
  assert.ok(!result.isError, JSON.stringify(result.structuredContent));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}
