// The way of a game master and a player through every page of play. It knows
// forms and fields by their addresses and names, so it goes in any language, and
// needs no scripts.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';

import { opened } from './play.mjs';

const turn = {
  player_action: 'I help Mira to search the pier.', narration: 'Under a plank lies **a torn page**.\n\nSomebody has been here.',
  memory_markdown: '# Current state\n\nAt the harbour, before dawn.\n\n# Established during play\n\n- Mira trusts Arin.\n- A page was found.\n',
  current_scene: 'harbour',
  consequences: [
    { category: 'relationship', description: 'Mira may become a contact.' },
    { category: 'discovery', description: 'Arin brings back the torn page.' },
    { category: 'narrative', description: 'The keeper has fled.' },
  ],
};

const materials = [
  { id: 'harbour', kind: 'scene', title: 'The harbour', body: 'A **cold** pier.\n\n> Nobody here.\n\n- fog\n- one boat', gm_notes: 'SECRET: the boat leaks.' },
  { id: 'mira', kind: 'npc', title: 'Mira', body: 'Keeps the boats.' },
  { id: 'page', kind: 'clue', title: 'A torn page', body: 'From the journal of the keeper.' },
  { id: 'pier', kind: 'place', title: 'The pier' },
];

/** The configuration that a page shows, as a client that it is pasted into reads it. */
export function pasted(text) {
  const [{ type, url, headers }] = Object.values(JSON.parse(text).mcpServers);
  assert.equal(type, 'http');
  return { url, token: headers.Authorization.replace('Bearer ', '') };
}

/** Writes to a session with such a configuration; returns the receipt. */
async function write({ url, token }, tool, args) {
  const seat = await opened('TypeScript v1', url, token);
  try {
    const { version } = await seat.use('get_play_context');
    return await seat.use(tool, { operation_id: randomUUID(), expected_version: version, ...args });
  } finally {
    await seat.connection.close();
  }
}

/** Plays one turn. */
export function playTurn(configuration, changes = {}) {
  return write(configuration, 'commit_play_turn', { ...turn, ...changes });
}

/** One person in one tab. */
export class Walker {
  /** look is called with the name of each page that there is to see. */
  constructor(page, url, look = () => {}) {
    Object.assign(this, { page, url, look });
  }

  /** Opens an address, and looks if what is there has a name. */
  async open(at, name, status = 200) {
    const reply = await this.page.goto(new URL(at, this.url).href);
    assert.equal(reply.status(), status, at);
    if (name) await this.look(name, this.page);
  }

  get at() {
    return new URL(this.page.url()).pathname;
  }

  get said() {
    return this.page.locator('main').innerText();
  }

  /** Fills a form in and sends it; answers are by the id of their field. */
  async send(action, answers = {}, { name, status = 200 } = {}) {
    const form = this.page.locator(`main form[action="${action}"]`);
    for (const [id, answer] of Object.entries(answers)) {
      const field = form.locator(`[id="${id}"]`);
      if (answer === true) await field.check();
      else if (await field.evaluate((f) => f.tagName) === 'SELECT') await field.selectOption(answer);
      else await field.fill(answer);
    }
    const [reply] = await Promise.all([this.page.waitForNavigation(), form.locator('button').click()]);
    assert.equal(reply.status(), status, `${action}: ${await this.said}`);
    if (status >= 400 && status !== 401) await this.page.getByRole('alert').waitFor();
    if (name) await this.look(name, this.page);
  }

  /** Follows a link, to a page or to a file, whose text is the result. */
  async follow(link) {
    await Promise.all([this.page.waitForNavigation(), this.page.locator(`main a[href="${link}"]`).first().click()]);
  }

  async download(link) {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.page.locator(`main a[href="${link}"]`).click()]);
    assert.match(file.suggestedFilename(), /^pharos-play-\w+-v3-\w\w\.md$/);
    return readFile(await file.path(), 'utf8');
  }

  /** Opens the same browser's next tab. */
  async tab() {
    return new Walker(await this.page.context().newPage(), this.url, this.look);
  }

  async logIn(username, password) {
    await this.send('/login/', { username, password });
    assert.equal(this.at, '/plays/');
  }
}

/** Logs in, after a mistake. */
export async function enter(w, username, password) {
  await w.open('/', 'login');
  assert.equal(w.at, '/login/');
  await w.send('/login/', { username, password: 'not it' }, { status: 401, name: 'login refused' });
  await w.logIn(username, password);
  await w.look('plays, none', w.page);
}

/** Writes a scenario and publishes it; returns its address. */
export async function writeScenario(w) {
  await w.open('/scenarios/', 'scenarios, none');
  await w.open('/scenarios/new/', 'new scenario');
  await w.send('/scenarios/new/', {}, { status: 422, name: 'new scenario, refused' });
  await w.send('/scenarios/new/', { title: 'The lighthouse', summary: 'A keeper is missing.\n\nOne night.', language: 'en' });
  const story = w.at;
  const draft = `${story}versions/1/`;
  await w.open(draft, 'version, empty');
  await w.open(`${draft}add/`, 'new material');
  for (const { id, kind, title, body = '', gm_notes = '' } of materials) {
    await w.open(`${draft}add/`);
    await w.send(`${draft}add/`, { id, [`kind-${kind}`]: true, title, body, gm_notes });
  }
  await w.open(`${draft}nodes/harbour/`, 'material');
  const other = await w.tab();
  await other.open(`${draft}nodes/mira/edit/`);
  await w.open(`${draft}nodes/mira/edit/`, 'edit a material');
  await w.send(`${draft}nodes/mira/edit/`, { title: 'Mira of the boats' });
  await other.send(`${draft}nodes/mira/edit/`, { title: 'Old Mira' }, { status: 409, name: 'edit a material, stale' });
  await other.send(`${draft}nodes/mira/edit/`);
  assert.match(await other.said, /Old Mira/);
  await other.page.close();
  await w.open(`${draft}nodes/pier/delete/`, 'delete a material');
  await w.send(`${draft}nodes/pier/delete/`);
  await w.open(draft, 'version, draft');
  await w.send(`${draft}publish/`);
  await w.open(draft, 'version, published');
  await w.open(story, 'scenario');
  await w.send(`${story}versions/`);
  assert.equal(w.at, `${story}versions/2/`);
  await w.open('/scenarios/', 'scenarios');
  return story;
}

/** Assigns the scenario to a player and plays a turn; returns the play's address. */
export async function assign(w, story, player) {
  await w.open('/plays/new/', 'choose a scenario');
  const link = `/plays/new/?scenario=${story.split('/')[2]}&version=1`;
  await w.follow(link);
  await w.look('new play', w.page);
  await w.send('/plays/new/', {}, { status: 422, name: 'new play, refused' });
  await w.send('/plays/new/', {
    player, 'mode-downtime': true, character: 'Arin, a scout\nand a friend of ravens.', brief: 'The party sails at dawn. Arin stays behind.',
    instructions: 'Keep it quiet.', boundaries: 'No deaths.', return_condition: 'Arin is back at the pier by dawn.', gm_notes: 'SECRET: the keeper lives.',
    'node-harbour': true, 'node-mira': true, 'node-page': true, 'approve-resource': true,
  });
  const play = w.at;
  await w.look('play, new', w.page);
  await w.open(`${play}journal/`, 'journal, empty');
  await w.open(`${play}review/`, 'review, none');
  await w.open(play);
  await w.send(`${play}token/`, {}, { name: 'play token' });
  const receipt = await playTurn(pasted(await w.page.locator('#config').inputValue()));
  assert.equal(receipt.version, 2);
  await w.open(play, 'play, one turn');
  await w.open(`${play}journal/`, 'journal');
  return play;
}

/** Decides about what waits, and takes the reports. */
export async function review(w, play) {
  await w.open(`${play}review/`, 'review');
  await w.send(`${play}review/`, {}, { status: 422, name: 'review, refused' });
  const ids = await w.page.locator('input[name=consequence]').evaluateAll((inputs) => inputs.map((i) => i.value));
  assert.equal(ids.length, 3);
  await w.send(`${play}review/`, {
    [`decision-${ids[0]}-approved`]: true, [`note-${ids[0]}`]: 'She remembers.', [`decision-${ids[1]}-rejected`]: true,
  });
  assert.equal(await w.page.locator('input[name=consequence]').count(), 1);
  await w.open(play, 'play, reviewed');
  for (const lang of ['en', 'pl']) {
    const text = await w.download(`${play}report/?lang=${lang}`);
    assert.match(text, /She remembers/);
    assert.match(text, /SECRET: the keeper lives/);
  }
  await w.open(play);
  await w.send(`${play}token/revoke/`);
  await w.open('/plays/', 'plays');
}

/** Keeps the wiki. */
export async function keepWiki(w) {
  await w.open('/wiki/', 'wiki, empty');
  await w.open('/wiki/new/', 'new page of the wiki');
  await w.send('/wiki/new/', {}, { status: 422, name: 'new page of the wiki, refused' });
  await w.send('/wiki/new/', { id: 'keeper', title: 'The keeper', body: '# Żółw\n\nHe *left*.\n\n| when | where |\n| --- | --- |\n| dawn | north |' });
  const at = w.at;
  await w.look('page of the wiki', w.page);
  await w.open(`${at}edit/`, 'edit a page of the wiki');
  await w.send(`${at}edit/`, { title: 'The last keeper' });
  await w.open('/wiki/', 'wiki');
  await w.send('/wiki/', { q: 'ZOLW' }, { name: 'wiki, searched' });
  assert.match(await w.said, /The last keeper/);
  await w.open(`${at}delete/`, 'delete a page of the wiki');
  await w.send(`${at}delete/`);
}

/** Issues a personal token and revokes it. */
export async function keepTokens(w) {
  await w.open('/tokens/', 'tokens, none');
  await w.send('/tokens/issue/', {}, { status: 422, name: 'token, refused' });
  await w.send('/tokens/issue/', { name: 'The desk' }, { name: 'author token' });
  const { url, token } = pasted(await w.page.locator('#config').inputValue());
  const author = await opened('TypeScript v1', url, token);
  try {
    assert.equal((await author.use('list_scenarios')).total, 1);
  } finally {
    await author.connection.close();
  }
  await w.open('/tokens/', 'tokens');
  const [action] = await w.page.locator('main form[action$="/revoke/"]').evaluateAll((forms) => forms.map((f) => f.getAttribute('action')));
  await w.send(action);
  await assert.rejects(opened('TypeScript v1', url, token));
}

/** What the player sees of it: everything but what is the game master's. */
export async function see(w, play, username, password) {
  await w.open(play);
  await w.send('/login/', { username, password });
  assert.equal(w.at, play);
  await w.look('play, for its player', w.page);
  assert.match(await w.said, /She remembers/);
  assert.doesNotMatch(await w.said, /SECRET/);
  assert.doesNotMatch(await w.download(`${play}report/?lang=en`), /SECRET/);
  await w.open(play);
  await w.send(`${play}token/`);
  const summary = 'Arin is back at dawn.\n\nThe page is in the right hands.';
  const ended = await write(pasted(await w.page.locator('#config').inputValue()), 'finish_play_session', { summary });
  assert.equal(ended.status, 'completed');
  await w.open(play, 'play, completed');
  assert.match(await w.said, /in the right hands/);
  await w.open(`${play}journal/`, 'journal, to the end');
  await w.open('/plays/', 'plays, for a player');
  await w.open(`${play}review/`, 'not allowed', 403);
  await w.open('/nowhere/', 'nothing there', 404);
}

/** Changes the language there and back, and logs out. */
export async function leave(w) {
  await w.open('/account/', 'account');
  const tag = await w.page.locator('html').getAttribute('lang');
  const other = tag === 'en' ? 'pl' : 'en';
  for (const [to, from] of [[other, tag], [tag, other]]) {
    await w.send('/language/', { [`language-${to}`]: true });
    assert.equal(await w.page.locator('html').getAttribute('lang'), to, from);
  }
  const late = await w.tab();
  await late.open('/wiki/new/');
  await Promise.all([w.page.waitForNavigation(), w.page.locator('form[action="/logout/"] button').click()]);
  assert.equal(w.at, '/login/');
  await late.send('/wiki/new/', { id: 'late', title: 'Too late' }, { status: 401 });
  await late.look('logged out', late.page);
  await w.open('/plays/');
  assert.equal(w.at, '/login/');
}
