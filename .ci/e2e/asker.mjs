// The TypeScript SDK's own OAuth clients, with a person whom they can ask.

import assert from 'node:assert/strict';

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UnauthorizedError as UnauthorizedV1 } from '@modelcontextprotocol/sdk/client/auth.js';
import {
  Client as ClientV2, StreamableHTTPClientTransport as TransportV2, UnauthorizedError as UnauthorizedV2,
} from '@modelcontextprotocol/client';

import { consent, returnURL } from './authority.mjs';

/** What a client keeps: who it is, its tokens, and where the person has to go. */
class Wallet {
  redirectUrl = returnURL;
  clientMetadata = { client_name: 'pharos-e2e', redirect_uris: [returnURL], token_endpoint_auth_method: 'none' };
  kept = {};
  state = () => 'of-the-client';
  clientInformation = () => this.kept.client;
  saveClientInformation = (client) => { this.kept.client = client; };
  tokens = () => this.kept.tokens;
  saveTokens = (tokens) => { this.kept.tokens = tokens; };
  redirectToAuthorization = (url) => { this.kept.to = url; };
  saveCodeVerifier = (verifier) => { this.kept.verifier = verifier; };
  codeVerifier = () => this.kept.verifier;
  invalidateCredentials = (scope) => { if (scope === 'all' || scope === 'tokens') delete this.kept.tokens; };
  saveDiscoveryState = (state) => { this.kept.discovery = state; };
  discoveryState = () => this.kept.discovery;

  /** Lets the access token be none, as it is after its time. */
  age() {
    this.kept.tokens = { ...this.kept.tokens, access_token: 'aged' };
  }
}

/** A client of one kind that asks a person, who is a user of the login service. */
export class Asker {
  wallet = new Wallet();
  asked = [];

  constructor(kind, server, user) {
    Object.assign(this, { kind, server, user });
  }

  /** Does something, and once more when the person had to be asked. */
  async with(use) {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof this.kind.Unauthorized)) throw error;
    }
    const { returned, asked } = await consent(this.wallet.kept.to, this.user);
    assert.equal(returned.searchParams.get('state'), 'of-the-client');
    assert.equal(returned.searchParams.get('iss'), this.server.issuer);
    this.asked.push(asked);
    await this.kind.finish(this.transport, returned.searchParams);
    return use();
  }

  connect() {
    return this.with(() => this.dial());
  }

  async dial() {
    this.transport = new this.kind.Transport(new URL(this.server.url), { authProvider: this.wallet });
    this.client = new this.kind.Client({ name: 'pharos-e2e', version: '1' }, this.kind.options);
    await this.client.connect(this.transport);
  }

  /** The names of all tools, in order. */
  async tools() {
    const names = [];
    let cursor;
    do {
      const page = await this.client.listTools({ cursor });
      names.push(...page.tools.map((tool) => tool.name));
      cursor = page.nextCursor;
    } while (cursor);
    return names.sort();
  }

  call(name, args = {}) {
    return this.with(() => this.client.callTool({ name, arguments: args }));
  }

  close() {
    return this.client?.close();
  }
}

/** The TypeScript SDK's clients, with what their finishing of a login is called. */
export const kinds = {
  'TypeScript v1': {
    Client: ClientV1, Transport: TransportV1, Unauthorized: UnauthorizedV1, options: {},
    stuck: /403 after trying upscoping/,
    finish: (transport, answer) => transport.finishAuth(answer.get('code')),
  },
  'TypeScript v2, handshake': {
    Client: ClientV2, Transport: TransportV2, Unauthorized: UnauthorizedV2, options: {},
    finish: (transport, answer) => transport.finishAuth(answer),
  },
  'TypeScript v2, newest protocol': {
    Client: ClientV2, Transport: TransportV2, Unauthorized: UnauthorizedV2, options: { versionNegotiation: { mode: 'auto' } },
    finish: (transport, answer) => transport.finishAuth(answer),
  },
};
