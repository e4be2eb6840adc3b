// The chat of a world's players, in front of its RPC: who asks the builder what,
// and what they are shown. Everything else it hands on.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';

export class Village {
  /** rpc is the URL of the world's RPC, admin the administrator's key. */
  constructor(rpc, admin) {
    Object.assign(this, { rpc, admin, turns: new Map(), queue: [], clients: [], methods: [], strangers: [] });
    this.server = createServer((request, response) => this.serve(request, response).catch((error) => response.destroy(error)));
  }

  async open() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${this.server.address().port}/v1/rpc`;
    return this;
  }

  close() {
    this.server.closeAllConnections();
    this.server.close();
  }

  async serve(request, response) {
    const body = Buffer.concat(await request.toArray());
    const { method, params } = JSON.parse(body);
    const admin = request.headers.authorization === `Bearer ${this.admin}`;
    if (admin !== method.startsWith('chat_')) this.strangers.push(method); // the wrong key
    response.setHeader('Content-Type', 'application/json');
    if (method.startsWith('chat_')) {
      return response.end(JSON.stringify({ ok: true, result: method === 'chat_poll' ? await this.poll(params) : this.reply(params) }));
    }
    this.methods.push(method);
    const answer = await fetch(this.rpc, { method: 'POST', headers: { ...pick(request.headers), 'Content-Type': 'application/json' }, body });
    response.writeHead(answer.status);
    response.end(await answer.text());
  }

  /** As the world does: a new bridge gets nothing that the one before had. */
  async poll({ client_id: client, wait_ms: wait }) {
    if (this.clients.at(-1) !== client) {
      assert.ok(!this.clients.includes(client), 'a bridge came back');
      this.clients.push(client);
      for (const turn of this.turns.values()) turn.finish('not repeated');
      this.turns.clear();
    }
    for (let waited = 0; waited < wait && !this.queue.length; waited += 20) await new Promise((resolve) => setTimeout(resolve, 20));
    if (this.clients.at(-1) !== client) return { messages: [] };
    return { messages: this.queue.splice(0) };
  }

  reply({ id, playerId, text, done, error }) {
    const turn = this.turns.get(id);
    if (!turn || turn.playerId !== playerId) return { accepted: true };
    turn.hear(text);
    if (done) {
      this.turns.delete(id);
      turn.finish(error);
    }
    return { accepted: true };
  }

  /** Asks the builder. The turn has said, until(pattern), stop, and end: its error. */
  ask(text) {
    const id = randomUUID();
    const playerId = randomUUID();
    const waiting = [];
    const turn = {
      playerId, said: '',
      hear: (more) => {
        turn.said += `${more}\n`;
        for (const check of waiting) check();
      },
      until: (pattern) => new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${pattern} was not said, but ${turn.said}`)), 20_000);
        const check = () => {
          const match = pattern.exec(turn.said);
          if (match) {
            clearTimeout(timer);
            resolve(match);
          }
        };
        waiting.push(check);
        check();
      }),
      stop: () => this.queue.push({ id, playerId, projectId: 'default', text: '', type: 'cancel' }),
    };
    turn.end = new Promise((resolve) => { turn.finish = resolve; });
    this.turns.set(id, turn);
    this.queue.push({ id, playerId, projectId: 'default', text, type: 'prompt', position: { x: 0.5, y: 65, z: 0.5 } });
    return turn;
  }
}

const pick = ({ authorization }) => ({ authorization });
