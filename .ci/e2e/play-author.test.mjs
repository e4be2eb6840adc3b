// Authors and their assistants: MCP clients that are not ours write scenarios and
// the wiki, while the author does the same on the pages.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import * as chromium from './browser.mjs';
import { opened, publish, servePlay, story } from './play.mjs';

const tools = [
  'create_scenario', 'create_scenario_node', 'create_scenario_version', 'create_wiki_page', 'delete_scenario_node', 'delete_wiki_page',
  'get_scenario', 'get_scenario_node', 'list_scenario_nodes', 'list_scenarios', 'list_wiki_pages', 'publish_scenario_version',
  'read_wiki_page', 'search_wiki', 'update_scenario_node', 'update_wiki_page',
];

describe('authors', () => {
  let server, gm;

  before(async () => {
    server = await servePlay();
    gm = await server.login('gm');
  });

  after(() => server?.stop());

  for (const name of ['TypeScript v1', 'TypeScript v2, handshake', 'TypeScript v2, newest protocol']) {
    describe(name, () => {
      const page = `latarnik-${randomUUID().slice(0, 8)}`;
      let author, scenario_id;

      before(async () => {
        author = await opened(name, server.author, await gm.authorToken());
      });

      after(() => author?.connection.close());

      // clause: P-50
      test('writes a scenario, publishes it, and goes on with the next version', async () => {
        assert.deepEqual(author.names, tools);
        scenario_id = await publish(author);
        const { scenarios } = await author.use('list_scenarios', { limit: 100 });
        assert.ok(scenarios.some((s) => s.id === scenario_id && s.latest_status === 'published'));
        const { total, nodes } = await author.use('list_scenario_nodes', { scenario_id, version: 1, kind: 'scene' });
        assert.deepEqual([total, nodes.map((n) => n.id)], [3, ['przystan', 'latarnia', 'loch']]);

        const next = await author.use('create_scenario_version', { scenario_id, expected_latest: 1 });
        assert.deepEqual([next.latest_version, next.latest_status], [2, 'draft']);
        const at = { scenario_id, version: 2, node_id: 'mira' };
        const { revision, kind, title, gm_notes } = await author.use('get_scenario_node', at);
        const change = { ...at, kind, title, gm_notes, body: 'Sprzedała łódź.', expected_revision: revision };
        assert.equal((await author.use('update_scenario_node', change)).revision, revision + 1);
        await author.use('delete_scenario_node', { scenario_id, version: 2, node_id: 'kartka', expected_revision: 1 });
        assert.equal((await author.use('get_scenario_node', { ...at, version: 1 })).body, 'Pilnuje łodzi.');
      });

      // clause: P-37, P-50
      test('overwrites nothing that it has not read', async () => {
        const stale = { scenario_id, version: 2, node_id: 'mira', expected_revision: 1 };
        await author.refuse('update_scenario_node', { ...stale, kind: 'npc', title: 'M', body: '', gm_notes: '' }, 409, /revision is 2, not 1/);
        await author.refuse('delete_scenario_node', stale, 409);
        await author.refuse('publish_scenario_version', { scenario_id, version: 2, expected_revision: 1 }, 409);
        await author.refuse('create_scenario_version', { scenario_id, expected_latest: 1 }, 409);
        await author.refuse('create_scenario_node', { scenario_id, version: 1, ...story.nodes[0], id: 'nowa' }, 409);
        await author.refuse('get_scenario', { scenario_id: randomUUID() }, 404);
      });

      // clause: P-50
      test('keeps the wiki', async () => {
        const made = await author.use('create_wiki_page', { id: page, title: 'Latarnik', body: 'Zna Żółwia Ćmę.' });
        assert.equal(made.revision, 1);
        const { hits } = await author.use('search_wiki', { query: 'zolwia cme' });
        assert.ok(hits.some((h) => h.id === page && h.excerpt.includes('Żółwia Ćmę')));
        const { revision } = await author.use('update_wiki_page', { id: page, expected_revision: 1, title: 'Latarnik', body: 'Odszedł.' });
        await author.refuse('update_wiki_page', { id: page, expected_revision: 1, title: 'Latarnik', body: 'Został.' }, 409, /revision is 2, not 1/);
        assert.equal((await author.use('read_wiki_page', { id: page })).body, 'Odszedł.');
        assert.ok((await author.use('list_wiki_pages', { limit: 100 })).pages.some((p) => p.id === page));
        await author.refuse('delete_wiki_page', { id: page, expected_revision: 1 }, 409);
        await author.use('delete_wiki_page', { id: page, expected_revision: revision });
        await author.refuse('read_wiki_page', { id: page }, 404);
      });

      test('leaves no tool out', () => assert.deepEqual([...author.used].sort(), tools));
    });
  }

  describe('at the same time', () => {
    let browser, author;

    before(async () => {
      browser = await chromium.launch();
      author = await opened('TypeScript v2, newest protocol', server.author, await gm.authorToken());
    });

    after(async () => {
      await author?.connection.close();
      await browser?.close();
    });

    const logIn = async (page) => {
      const [name, ...value] = gm.cookie.split('=');
      await page.context().addCookies([{ name, value: value.join('='), url: server.url }]);
    };

    /**
     * Opens a form, changes there what an assistant changes meanwhile, and is
     * shown both; what is sent then is kept.
     */
    const meanwhile = (at, theirs, mine) => chromium.looking(browser, async (page) => {
      await logIn(page);
      await page.goto(`${server.url}${at}`);
      await theirs();
      await page.locator('#body').fill(mine);
      const answer = page.waitForResponse((r) => r.request().method() === 'POST');
      await page.locator('main form button').click();
      assert.equal((await answer).status(), 409);
      await page.getByRole('alert').waitFor();
      assert.equal(await page.locator('#body').inputValue(), mine);
      assert.match(await page.locator('.stored').innerText(), /of the assistant/);
      await page.locator('main form button').click();
      await page.waitForURL((url) => !url.pathname.endsWith('/edit/'));
      assert.match(await page.locator('main').innerText(), new RegExp(mine));
    });

    // clause: P-50
    test('a page of the wiki', async () => {
      const id = 'together';
      await author.use('create_wiki_page', { id, title: 'Together', body: 'At first.' });
      const theirs = { id, expected_revision: 1, title: 'Together', body: 'Words of the assistant.' };
      await meanwhile(`/wiki/pages/${id}/edit/`, () => author.use('update_wiki_page', theirs), 'Words of the author.');
      const { revision, body } = await author.use('read_wiki_page', { id });
      assert.deepEqual([revision, body], [3, 'Words of the author.']);
      await author.refuse('update_wiki_page', { ...theirs, expected_revision: 2 }, 409, /revision is 3, not 2/);
    });

    // clause: P-50
    test('a material of a scenario', async () => {
      const scenario_id = randomUUID();
      await author.use('create_scenario', { id: scenario_id, title: 'Together', language: 'en' });
      const node = { kind: 'scene', title: 'Pier', gm_notes: '' };
      await author.use('create_scenario_node', { scenario_id, version: 1, id: 'pier', body: 'At first.', ...node });
      const theirs = { scenario_id, version: 1, node_id: 'pier', expected_revision: 1, body: 'Words of the assistant.', ...node };
      await meanwhile(`/scenarios/${scenario_id}/versions/1/nodes/pier/edit/`, () => author.use('update_scenario_node', theirs),
        'Words of the author.');
      await author.refuse('update_scenario_node', { ...theirs, expected_revision: 2 }, 409, /revision is 3, not 2/);
    });
  });
});
