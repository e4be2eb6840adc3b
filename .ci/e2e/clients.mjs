// The clients of other people, behind one shape: each lists the tools of a
// server and calls one of them.

import assert from 'node:assert/strict';

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';

import { run } from './processes.mjs';

const self = { name: 'pharos-e2e', version: '1' };

/** go-sdk's client, one process for each question. */
function goClient(protocol) {
  const ask = async (url, ...rest) =>
    JSON.parse(await run('go', ['run', './internal/mcpclient', '-protocol', protocol, url, ...rest]));
  return {
    list: async (url) => (await ask(url)).tools,
    call: async (url, name, args) => (await ask(url, name, JSON.stringify(args))).result,
  };
}

/** One of the TypeScript SDK's clients, one connection for each question. */
function typescript(Client, Transport, options, era) {
  const connected = async (url, use) => {
    const client = new Client(self, options);
    await client.connect(new Transport(new URL(url)));
    try {
      if (era) assert.equal(client.getProtocolEra(), era);
      return await use(client);
    } finally {
      await client.close();
    }
  };
  return {
    list: (url) => connected(url, async (client) => {
      const tools = [];
      let cursor;
      do {
        const page = await client.listTools({ cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor);
      return tools;
    }),
    // The list comes first: the client checks results against the output
    // schemas that it has seen.
    call: (url, name, args) => connected(url, async (client) => {
      await client.listTools();
      return client.callTool({ name, arguments: args });
    }),
  };
}

/** Every client, by the name that its tests carry. */
export const clients = {
  'go-sdk, 2025-11-25': goClient('2025-11-25'),
  'go-sdk, 2026-07-28': goClient('2026-07-28'),
  'TypeScript v1': typescript(ClientV1, TransportV1, {}),
  'TypeScript v2, handshake': typescript(ClientV2, TransportV2, {}, 'legacy'),
  'TypeScript v2, newest protocol': typescript(ClientV2, TransportV2, { versionNegotiation: { mode: 'auto' } }, 'modern'),
};
