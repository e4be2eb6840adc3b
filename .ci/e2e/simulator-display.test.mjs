// A browser shows a game to the room: while it is played, and from its log.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import * as chromium from './browser.mjs';
import { buildingsIn, hiddenIn, states } from './simulator-facts.mjs';
import { Controller, serveSimulator } from './simulator.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const screens = {
  desktop: { width: 1280, height: 800 }, projector: { width: 1920, height: 1080 }, phone: { width: 375, height: 740 },
};

/** Keeps of each frame of the board what is drawn: runs in the page. */
function watchCanvas() {
  globalThis.frames = 0;
  const pen = CanvasRenderingContext2D.prototype;
  const also = (method, keep) => {
    const original = pen[method];
    pen[method] = function (...args) {
      keep(...args);
      return original.apply(this, args);
    };
  };
  const begin = () => { globalThis.frame = { texts: [], rings: [], dashed: 0 }; };
  also('setTransform', () => { globalThis.frames += 1; begin(); });
  also('fillText', (text) => globalThis.frame.texts.push(text));
  also('arc', (x, y, radius) => globalThis.frame.rings.push({ x, y, radius }));
  also('setLineDash', (dashes) => { globalThis.frame.dashed += dashes.length > 0; });
  begin();
}

/** The words and houses on the page: runs in the page. */
function readPage() {
  const text = (id) => document.getElementById(id).textContent;
  const items = (id) => [...document.querySelectorAll(`#${id} li:not(.none)`)].map((li) => [li.dataset.id, li.textContent]);
  const houses = [...document.querySelectorAll('.buildings :is(.burning, .collapsed, .saved)')]
    .map((house) => [house.id, ['burning', 'collapsed', 'saved'].find((name) => house.classList.contains(name))]);
  return {
    tick: text('tick'), lifecycle: text('lifecycle'), casualties: text('casualties'), lost: text('lost'),
    vehicles: Object.fromEntries(items('vehicles')), fires: Object.fromEntries(items('fires')), contacts: items('contacts'),
    tokens: [...document.querySelectorAll('#tokens tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
    houses: Object.fromEntries(houses), frame: globalThis.frame, text: document.body.innerText,
  };
}

/** The countdowns that the engines of an observation see, as items of the list of fires. */
function countdowns(observation) {
  const seen = {};
  for (const { payload } of observation.contacts.filter((c) => c.payload_type === 'truck_observation')) {
    for (const b of payload.buildings.filter((house) => house.status === 'burning')) seen[b.building_id] = b;
  }
  return seen;
}

describe('display', () => {
  let server, browser;

  before(async () => {
    [server, browser] = await Promise.all([serveSimulator(), chromium.launch()]);
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Uses a browser that asks nobody else and is quiet. */
  const looking = (use, options = {}) => chromium.looking(browser, async (page, seen) => {
    page.setDefaultTimeout(15_000);
    await page.addInitScript(watchCanvas);
    await use(page);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual([...new Set(seen.requests)], [server.display]);
  }, { viewport: screens.desktop, ...options });

  const snapshot = async () => (await fetch(`${server.display}/api/v1/snapshot`)).text();

  /** Reads the page once it shows what there is now. */
  const shown = async (page) => {
    const { display_revision } = JSON.parse(await snapshot());
    await page.waitForFunction((revision) => document.body.dataset.revision === revision, `${display_revision}`);
    return page.evaluate(readPage);
  };

  /** Judges how a page is for everybody, and keeps pictures of it. */
  const judge = async (page, name) => {
    await page.evaluate(axe);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      for (const [screen, viewport] of Object.entries(screens)) {
        await page.setViewportSize(viewport);
        const found = await page.evaluate(async (runOnly) => {
          const { violations } = await globalThis.axe.run({ runOnly, resultTypes: ['violations'] });
          return violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html} ${n.failureSummary}`).join('\n')}`);
        }, rules);
        assert.deepEqual(found, [], `${name}, ${colorScheme}, ${screen}`);
        await chromium.fits(page, name);
        await chromium.picture(page, `simulator ${name} ${colorScheme} ${screen}`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(screens.desktop);
  };

  /** Plays until a tick, sending engines to what is reported. */
  const playTo = async (game, tick) => {
    while (game.result.tick < tick && game.result.lifecycle === 'running') {
      const { observation } = game.result;
      for (const id of buildingsIn(JSON.stringify(observation))) game.knowable.add(id);
      const tokens = { intake: { read: 1000 * game.result.tick, write: 7 }, dispatch: { cache_read: 1234567 } };
      game.result = await game.controller.turn(observation, game.heard, tokens);
      for (const id of buildingsIn(JSON.stringify(game.result))) game.knowable.add(id);
    }
    return game.result;
  };

  const begin = async (scenario_id) => {
    const controller = await Controller.connect('TypeScript v1', server.url);
    const result = await controller.use('start_episode', { scenario_id });
    return { controller, result, heard: [], knowable: buildingsIn(JSON.stringify(result)) };
  };

  test('says how to begin', () => looking(async (page) => {
    await page.goto(server.display);
    await page.waitForSelector('body[data-revision]');
    assert.match(await page.locator('main').innerText(), new RegExp(`Connect an MCP client to ${server.url}`));
    await judge(page, 'lobby');
  }));

  // clause: S-08, S-41, S-42
  test('a game with everything to see', () => looking(async (page) => {
    await page.goto(server.display);
    const game = await begin('stage1-basic@londone');
    const pages = [];
    for (const tick of [0, 1, 3, 5, 8, 10, 12, 16, 20, 25, 30, 36]) {
      const { observation } = await playTo(game, tick);
      const seen = await shown(page);
      pages.push(seen);
      assert.deepEqual([seen.tick, seen.lifecycle], [`${tick}/100`, 'running']);
      for (const [id, fire] of Object.entries(countdowns(observation))) {
        const out = fire.ticks_to_collapse === null;
        const [words, sign, n] = out ? ['out', '✓', fire.ticks_to_extinguish] : ['falls', '▼', fire.ticks_to_collapse];
        assert.match(seen.fires[id], new RegExp(`${words} in ${n} tick`));
        assert.ok(seen.frame.texts.includes(`${sign}${n}`), `${seen.frame.texts}`);
      }
      for (const v of observation.vehicles) {
        const ring = { x: v.position.x * 10, y: v.position.y * 10, radius: 800 };
        const drawn = seen.frame.rings.some((r) => Math.hypot(r.x - ring.x, r.y - ring.y) < 1e-6 && r.radius === ring.radius);
        assert.ok(drawn, `ring of ${v.vehicle_id}`);
        assert.match(seen.vehicles[v.vehicle_id], new RegExp(`^${v.label} ${v.status}`));
      }
      const tokens = [['intake', (1000 * (tick - 1)).toLocaleString('en'), '7', '0'], ['dispatch', '0', '0', '1,234,567']];
      if (tick > 0) assert.deepEqual(seen.tokens, tokens);
      if (tick === 12) await judge(page, 'stage 1 tick 12');
    }
    assert.ok(pages.some((p) => Object.keys(p.fires).length > 0 && p.frame.texts.some((t) => /[▼✓]/.test(t))));
    assert.equal((await game.controller.use('status')).lifecycle, 'running'); // who looks takes nothing
    const end = await game.controller.finish(game.result, game.heard);
    pages.push(await shown(page));
    await judge(page, 'stage 1 end');
    const truth = states(await server.log(end.run_id));
    for (const seen of pages) {
      const { houses, casualties, lost } = truth[Number.parseInt(seen.tick, 10)];
      assert.deepEqual([seen.houses, seen.casualties, seen.lost], [houses, `${casualties}`, `${lost}`], seen.tick);
      assert.deepEqual(Object.keys(seen.fires).sort(), Object.keys(houses).filter((id) => houses[id] === 'burning').sort());
    }
    assert.deepEqual([...new Set(pages.flatMap((p) => Object.values(p.houses)))].sort(), ['burning', 'collapsed', 'saved']);
    await game.controller.connection.close();
  }));

  // clause: S-41
  test('draws again only when there is something new', () => looking(async (page) => {
    await page.goto(server.display);
    const game = await begin('stage1-basic@oldtown');
    const before = await shown(page);
    assert.equal(before.frame.dashed, 0);
    const frames = () => page.evaluate(() => globalThis.frames);
    const drawn = await frames();
    for (let i = 0; i < 4; i++) await page.waitForResponse((r) => r.url().endsWith('/api/v1/snapshot'));
    assert.equal(await frames(), drawn);

    const [vehicle] = game.result.observation.vehicles;
    const order = { vehicle_id: vehicle.vehicle_id, incident_id: 'look-round', rationale: 'To see more.', destination: { x: 480, y: 420 } };
    await game.controller.use('dispatch', { expected_tick: 0, ...order });
    const ordered = await shown(page);
    assert.equal(ordered.frame.dashed, 1);
    assert.match(ordered.vehicles[vehicle.vehicle_id], /idle · ordered: look-round, \d+ ticks?$/);
    assert.ok(await frames() > drawn);
    await chromium.picture(page, 'simulator ordered');
    await game.controller.use('next_tick', { expected_tick: 0 });
    const moving = await shown(page);
    assert.equal(moving.frame.dashed, 0);
    assert.match(moving.vehicles[vehicle.vehicle_id], /moving, \d+ ticks? to go · look-round$/);
    await game.controller.connection.close();
  }));

  // clause: S-40, S-41
  test('a game of which only the public part is shown', () => looking(async (page) => {
    const bodies = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/api/v1/snapshot')) bodies.push(response.text().catch(() => '{}'));
    });
    const game = await begin('stage3-echoes@portside');
    await page.goto(server.display);
    const moments = [];
    for (const tick of [0, 2, 4, 7, 10, 14, 18, 24, 30]) {
      const { observation } = await playTo(game, tick);
      const seen = await shown(page);
      const burning = Object.keys(countdowns(observation)).sort();
      assert.deepEqual(seen.houses, Object.fromEntries(burning.map((id) => [id, 'burning'])), `tick ${tick}`);
      assert.deepEqual(Object.keys(seen.fires).sort(), burning);
      moments.push({ tick, text: seen.text, sent: await snapshot(), knowable: new Set(game.knowable) });
      if (tick === 18) await judge(page, 'stage 3 tick 18');
    }
    const everything = new Set(game.knowable);
    const end = await game.controller.finish(game.result, game.heard);
    const log = await server.log(end.run_id);
    const truth = states(log);
    let secrets = 0;
    for (const { tick, text, sent, knowable } of moments) {
      assert.deepEqual(hiddenIn(sent, knowable), [], `tick ${tick}`);
      for (const id of buildingsIn(text)) assert.ok(knowable.has(id), `tick ${tick}: the page names ${id}`);
      const secret = Object.keys(truth.at(-1).houses).filter((id) => !knowable.has(id));
      secrets += secret.length;
      for (const id of secret.slice(0, 1)) { // a leak that is planted is found
        const planted = JSON.stringify({ ...JSON.parse(sent), fire_eta: [{ building_id: id }], wind: 1 });
        assert.deepEqual(hiddenIn(planted, knowable), ['member wind', `building ${id}`]);
      }
    }
    assert.ok(secrets > 0, 'nothing was hidden');
    for (const body of await Promise.all(bodies)) {
      if (JSON.parse(body).tick <= 30) assert.deepEqual(hiddenIn(body, everything), []);
    }
    await game.controller.connection.close();
  }));

  // clause: S-42
  test('everything on the page is reached by keyboard', () => looking(async (page) => {
    const game = await begin('stage5-babel@londone');
    await page.goto(server.display);
    for (let tick = 0; tick <= 20; tick++) { // as slowly as an agent that thinks
      await playTo(game, tick);
      await shown(page);
    }
    await game.controller.connection.close();
    const focused = () => page.evaluate(() => {
      const element = document.activeElement;
      return element.getAttribute('href') ?? element.getAttribute('aria-labelledby');
    });
    await page.keyboard.press('Tab');
    assert.equal(await focused(), '/replay');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'reports');
    const list = page.locator('section.scroll');
    assert.ok(await list.evaluate((section) => section.scrollHeight > section.clientHeight), 'there is nothing to scroll');
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.activeElement.scrollTop > 0);
  }));

  // clause: S-42
  test('says that the simulator is gone, and goes on when it is back', () => looking(async (page) => {
    let gone = false;
    await page.route('**/api/v1/snapshot', (route) => (gone ? route.fulfill({ status: 200, body: 'no JSON' }) : route.continue()));
    await page.goto(server.display);
    await page.waitForSelector('body[data-revision]');
    gone = true;
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
    gone = false;
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  }));

  /** Plays a game to its end and gives where its log is. */
  const finished = async (scenario_id) => {
    const game = await begin(scenario_id);
    const { run_id } = await game.controller.finish(game.result);
    await game.controller.connection.close();
    return { run_id, file: server.logFile(run_id), log: await server.log(run_id) };
  };

  const at = (page, tick) => page.waitForFunction((n) => document.body.dataset.tick === n, `${tick}`);

  // clause: S-42
  test('a log is opened from the disk, and gone through by keyboard', async () => {
    const { run_id, file, log } = await finished('stage4-surge@londone');
    const truth = states(log);
    const last = truth.length - 1;
    await looking(async (page) => {
      await page.clock.install();
      await page.goto(`${server.display}/replay`);
      await judge(page, 'replay empty');
      await page.locator('nav a').focus();
      await page.keyboard.press('Tab');
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
      await chooser.setFiles(file);
      await at(page, 0);
      assert.equal(await page.locator('#scenario').textContent(), `stage4-surge@londone · seed 54001 · ${run_id}`);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'scrub');
      const check = async (tick) => {
        await at(page, tick);
        const seen = await page.evaluate(readPage);
        const { houses, casualties, lost } = truth[tick];
        assert.deepEqual([seen.tick, seen.houses, seen.casualties, seen.lost], [`${tick}`, houses, `${casualties}`, `${lost}`]);
        const line = log[tick + 1];
        assert.equal(line.tick, tick);
        const reports = Object.fromEntries(seen.contacts);
        for (const c of line.contacts) assert.match(reports[c.contact_id], new RegExp(`in truth: ${c.truth.kind}$`));
        for (const v of line.vehicles) assert.match(seen.vehicles[v.vehicle_id], new RegExp(`^${v.label} ${v.status}`));
      };
      await check(0);
      for (const [key, tick] of [['ArrowRight', 1], ['ArrowRight', 2], ['ArrowLeft', 1], ['End', last], ['Home', 0], ['PageUp', 10]]) {
        await page.keyboard.press(key);
        await check(tick);
      }
      await page.keyboard.press('Shift+Tab');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'play');
      const playing = () => page.locator('#play').textContent();
      await page.keyboard.press('Space');
      assert.equal(await playing(), 'Pause');
      await page.clock.runFor(250 * 5);
      await check(15);
      await page.keyboard.press('Space');
      assert.equal(await playing(), 'Play');
      await page.clock.runFor(250 * 5);
      await check(15);
      await judge(page, 'replay tick 15');
      await page.locator('#speed').selectOption('fast');
      await page.locator('#play').press('Enter');
      await page.clock.runFor(80 * (last + 5));
      await check(last);
      assert.equal(await playing(), 'Play');
      await page.locator('#play').press('Enter'); // from the start again
      await check(0);
    }, { reducedMotion: 'reduce' });
  });

  test('a log can be dropped on the page', async () => {
    const { run_id, file } = await finished('stage1-basic@portside');
    const text = await readFile(file, 'utf8');
    await looking(async (page) => {
      await page.goto(`${server.display}/replay`);
      const data = await page.evaluateHandle((content) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], 'dropped.jsonl'));
        return transfer;
      }, text);
      await page.dispatchEvent('#lobby', 'drop', { dataTransfer: data });
      await at(page, 0);
      assert.match(await page.locator('#scenario').textContent(), new RegExp(run_id));
    });
  });

  // clause: S-40, S-42
  test('a file that is no whole log is told by what is wrong with it', async () => {
    const { file } = await finished('stage1-basic@londone');
    const text = await readFile(file, 'utf8');
    const lines = text.split('\n');
    const without = (...at) => lines.filter((_, i) => !at.includes(i)).join('\n');
    const changed = (i, from, to) => lines.map((line, j) => (i === j ? line.replace(from, to) : line)).join('\n');
    const wrong = {
      'empty.jsonl': ['', /has no line/], 'picture.png': ['\x89PNG\r\n\x1a\n\0\0', /line 1 is not JSON/],
      'list.json': ['[1]\n', /line 1 is no header/],
      'null.json': ['null\n', /line 1 is no header/], 'header.jsonl': [`${lines[0]}\n`, /has no tick/],
      'gap.jsonl': [without(5), /line 6 is not that of tick 4/],
      'headless.jsonl': [without(0), /line 1 is no header/], 'cut.jsonl': [changed(7, /}$/, ''), /line 8 is not JSON/],
      'bare.jsonl': [changed(3, '"vehicles"', '"cars"'), /line 4 is not that of tick 2/],
      'newer.jsonl': [changed(0, '"log_version":1', '"log_version":2'), /version 2/],
      'elsewhere.jsonl': [changed(0, '"map_id":"londone"', '"map_id":"../atlantis"'), /no map \.\.\/atlantis here/],
      'odd.jsonl': [changed(2, /"position":\{[^}]*\}/, '"position":null'), /line 3 is not that of tick 1/],
      'endless.jsonl': [[lines[0], ...Array.from({ length: 10_000 }, (_, tick) => JSON.stringify({
        type: 'tick', tick, commands: [{ vehicle_id: 'truck-1' }], contacts: [], changes: [], vehicles: [],
      })), ''].join('\n'), /more reports and commands than can be shown/],
    };
    await chromium.looking(browser, async (page, seen) => {
      page.setDefaultTimeout(15_000);
      await page.goto(`${server.display}/replay`);
      const problem = page.getByRole('alert');
      for (const [name, [content, words]] of Object.entries(wrong)) {
        await page.locator('#file').setInputFiles({ name, mimeType: 'application/jsonl', buffer: Buffer.from(content, 'latin1') });
        await problem.filter({ hasText: `${name} cannot be shown` }).waitFor();
        assert.match(await problem.textContent(), words, name);
        assert.ok(await page.locator('#play').isDisabled(), name);
      }
      await judge(page, 'replay problem');
      const torn = Buffer.from(text.slice(0, text.length / 3));
      await page.locator('#file').setInputFiles({ name: 'going-on.jsonl', mimeType: '', buffer: torn });
      await problem.filter({ hasText: 'last line is not complete' }).waitFor();
      await at(page, 0);
      assert.equal(await page.locator('#lifecycle').textContent(), 'no end');
      const reason = 'aborted:process_restart'; // of which the simulator knows nothing more
      const end = JSON.stringify({ type: 'end', reason, tick: 1, casualties: null, buildings_lost: null, truth: null, contacts: null });
      const ended = Buffer.from([...lines.slice(0, 3), end, ''].join('\n'));
      await page.locator('#file').setInputFiles({ name: 'ended.jsonl', mimeType: '', buffer: ended });
      await page.locator('#lifecycle').filter({ hasText: reason }).waitFor();
      await problem.waitFor({ state: 'hidden' });
      await page.locator('#file').setInputFiles(file);
      await page.locator('#lifecycle').filter({ hasText: /^(resolved|tick_limit)$/ }).waitFor();
      assert.deepEqual(seen.complaints.filter((text) => !/status of 404/.test(text)), []); // of the map that is elsewhere
      assert.deepEqual([...new Set(seen.requests)], [server.display]);
    }, { viewport: screens.desktop });
  });
});
