// Serves play on a free port, and does there what people do: over REST, and as
// forms without a browser.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { BareToolbox } from './bare.mjs';
import { clients } from './clients.mjs';
import { run, start } from './processes.mjs';

/**
 * Serves play over a database of its own, which has the demonstration. The
 * result holds where it is, login, which is a person with an account, add, which
 * makes one more, and stop.
 */
export async function servePlay() {
  const work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
  const config = path.join(work, 'pharos.json');
  await writeFile(config, JSON.stringify({ play: { listen: '127.0.0.1:0' }, database: { state: 'postgres' } }));
  const running = await start('bin/pharos', ['serve', '-config', config, 'play'], { until: /^play: (\S+)[^]*^}/m });
  const url = running.match[1];
  const passwords = new Map([...running.output.matchAll(/^play, log in as: (\S+), password (\S+)$/gm)].map((m) => m.slice(1)));
  return {
    url, passwords,
    play: `${url}/play/mcp`,
    author: `${url}/mcp`,
    login: async (username) => {
      const person = new Person(url);
      const body = { username, password: passwords.get(username) };
      assert.equal((await person.ask('POST', '/api/session/', body)).username, username);
      return person;
    },
    add: async (username, language, name) => {
      const made = await run('bin/pharos', ['play', '-config', config, 'account', 'add', '-language', language, '-name', name, username]);
      passwords.set(username, /^password: (\S+)$/m.exec(made)[1]);
    },
    stop: async () => {
      await running.stop();
      await rm(work, { recursive: true });
    },
  };
}

/** Somebody with a login. */
export class Person {
  cookie = '';

  constructor(url) {
    this.url = url;
  }

  /** Sends a request; returns the answer, whatever it is. */
  async send(method, at, body) {
    const form = body instanceof URLSearchParams;
    const headers = { ...(this.cookie && { Cookie: this.cookie }), ...(body && !form && { 'Content-Type': 'application/json' }) };
    const reply = await fetch(new URL(at, this.url), { method, headers, body: form ? body : body && JSON.stringify(body), redirect: 'manual' });
    const [set] = reply.headers.getSetCookie();
    if (set) [this.cookie] = set.split(';');
    return reply;
  }

  /** Asks for what must be given; returns it, or the text that is no JSON. */
  async ask(method, at, body) {
    const reply = await this.send(method, at, body);
    const text = await reply.text();
    assert.ok(reply.ok, `${method} ${at}: ${reply.status} ${text}`);
    return /json/.test(reply.headers.get('Content-Type')) ? JSON.parse(text) : text;
  }

  /** Issues a personal token, by the form that there is for it. */
  async authorToken() {
    const page = await this.ask('POST', '/tokens/issue/', new URLSearchParams({ id: randomUUID(), name: 'an assistant' }));
    return /pharos_author_\w+/.exec(page)[0];
  }
}

/** Opens a client of an endpoint: a toolbox. */
export async function opened(client, url, token) {
  return new BareToolbox(await clients[client].open({ url, token }));
}

/** A night at a lighthouse. What is secret has the word. */
export const story = {
  title: 'Latarnia na cyplu', summary: 'Latarnik zniknął przed świtem.', language: 'pl',
  nodes: [
    { id: 'przystan', kind: 'scene', title: 'Przystań', body: 'Zimne deski, **mgła** i jedna łódź.', gm_notes: 'TAJNE: łódź przecieka.' },
    { id: 'latarnia', kind: 'scene', title: 'Latarnia', body: 'Schody, a na nich sól.' },
    { id: 'loch', kind: 'scene', title: 'TAJNE podziemie', body: 'TAJNE: tu jest latarnik.' },
    { id: 'mira', kind: 'npc', title: 'Mira', body: 'Pilnuje łodzi.' },
    { id: 'kartka', kind: 'clue', title: 'Wyrwana kartka', body: 'Strona z dziennika latarnika.' },
  ],
  published: ['przystan', 'latarnia', 'mira', 'kartka'],
};

/** What a game master assigns of it, but for who and what. */
export const assignment = {
  mode: 'absence', language: 'pl', character: 'Żółw Ćma, zwiadowca', brief: 'Drużyna płynie o świcie. Ćma zostaje.',
  instructions: 'Cicho i powoli.', boundaries: 'Nikt nie ginie.', return_condition: 'Ćma jest o świcie na przystani.',
  gm_notes: 'TAJNE: latarnik żyje.', published_node_ids: story.published, auto_approve: ['resource'],
};

/** Writes the story and publishes it, as an author's assistant; returns its id. */
export async function publish(author) {
  const { nodes, title, summary, language } = story;
  const scenario_id = randomUUID();
  await author.use('create_scenario', { id: scenario_id, title, summary, language });
  for (const node of nodes) await author.use('create_scenario_node', { scenario_id, version: 1, ...node });
  const { versions: [{ revision }] } = await author.use('get_scenario', { scenario_id });
  await author.use('publish_scenario_version', { scenario_id, version: 1, expected_revision: revision });
  return scenario_id;
}
