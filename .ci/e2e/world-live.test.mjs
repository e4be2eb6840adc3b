// A browser watches a world being built.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import * as chromium from './browser.mjs';
import { root, run } from './processes.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const screens = { desktop: { width: 1280, height: 800 }, phone: { width: 375, height: 740 }, narrow: { width: 320, height: 640 } };
const steve = { ID: '11111111-1111-4111-8111-111111111111', Name: 'Steve', Feet: [4.5, 65, 11.5] };
const operation = {
  ID: 'aaaaaaaa-0000-4000-8000-000000000001', Project: 'default', Kind: 'build', Status: 'applying', Total: 40, Written: 10,
  Region: { Min: { X: 5, Y: 65, Z: 4 }, Max: { X: 11, Y: 69, Z: 10 } }, Created: '2026-01-01T00:00:00Z',
};
const conflict = { X: 10, Y: 66, Z: 9, Expected: 'minecraft:stone', Actual: 'minecraft:gold_block' };

/** A house with a roof of stairs and slabs, and windows. */
function house() {
  const set = {};
  for (let x = 5; x <= 11; x++) {
    for (let z = 4; z <= 10; z++) {
      const wall = x === 5 || x === 11 || z === 4 || z === 10;
      for (let y = 65; y <= 67; y++) {
        const pane = y === 66 && (x === 8 || z === 7);
        if (wall) set[`${x} ${y} ${z}`] = pane ? 'minecraft:glass' : 'minecraft:birch_planks';
      }
      const [west, east] = [x - 4, 12 - x];
      const stairs = (facing) => `minecraft:spruce_stairs[facing=${facing},half=bottom,shape=straight,waterlogged=false]`;
      if (west === east) set[`${x} 71 ${z}`] = 'minecraft:spruce_slab[type=bottom,waterlogged=false]';
      else set[`${x} ${67 + Math.min(west, east)} ${z}`] = stairs(west < east ? 'east' : 'west');
    }
  }
  return set;
}

/** How many of the picture's pixels are red wool: runs with a picture of it. */
function countRed(picture) {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = () => {
      const paper = new OffscreenCanvas(image.width, image.height).getContext('2d');
      paper.drawImage(image, 0, 0);
      const { data } = paper.getImageData(0, 0, image.width, image.height);
      let red = 0;
      for (let i = 0; i < data.length; i += 4) red += data[i] > 90 && data[i] > 2 * data[i + 1] && data[i] > 2 * data[i + 2];
      resolve(red);
    };
    image.src = `data:image/png;base64,${picture}`;
  });
}

describe('live page of a world', () => {
  let browser, work, child, link, origin, lines;

  before(async () => {
    work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
    const program = path.join(work, 'show');
    await run('go', ['build', '-o', program, './services/world/live/show']);
    browser = await chromium.launch();
    child = spawn(program, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    link = await printed('live: ');
    ({ origin } = new URL(link));
  });

  after(async () => {
    await browser?.close();
    child?.stdin.end();
    if (child?.exitCode === null) await once(child, 'exit');
    await rm(work, { recursive: true, maxRetries: 5 });
  });

  const printed = async (what) => {
    const { value } = await lines.next();
    assert.ok(value.startsWith(what), value);
    return value.slice(what.length);
  };

  /** Plays the world. */
  const play = (command) => child.stdin.write(`${JSON.stringify(command)}\n`);

  /** Uses a page that was let in, asks nobody else and is quiet but for what is expected. */
  const looking = (use, options = {}, expected = /^$/) => chromium.looking(browser, async (page, seen) => {
    page.setDefaultTimeout(20_000);
    await page.goto(link);
    link = origin + await printed('next: ');
    await use(page, seen);
    assert.deepEqual(seen.complaints.filter((text) => !/GPU stall/.test(text) && !expected.test(text)), []);
    assert.deepEqual([...new Set(seen.requests)], [origin]);
  }, { viewport: screens.desktop, ...options });

  /** Waits for the chunks within view. */
  const drawn = async (page) => {
    await page.waitForFunction(() => document.getElementById('canvas').dataset.chunks >= 37);
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
  };

  const red = async (page) => page.evaluate(countRed, (await page.locator('#canvas').screenshot()).toString('base64'));

  /** Waits until a number of red pixels is as wanted. */
  const reds = async (page, wanted) => {
    let last;
    for (const end = Date.now() + 20_000; Date.now() < end;) {
      last = await red(page);
      if (wanted(last)) return last;
    }
    throw new Error(`${last} red pixels`);
  };

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
        await chromium.picture(page, `world ${name} ${colorScheme} ${screen}`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(screens.desktop);
  };

  test('nobody looks without the link, and it is good once', () => chromium.looking(browser, async (page) => {
    await page.goto(origin);
    assert.match(await page.locator('main').innerText(), /This page needs its link/);
    await judge(page, 'locked');
    await page.goto(link);
    const next = origin + await printed('next: ');
    assert.equal(page.url(), `${origin}/`);
    await page.locator('#canvas').waitFor();
    await chromium.looking(browser, async (other) => {
      assert.equal((await other.goto(link)).status(), 403);
      assert.equal((await other.goto(`${origin}/api/v1/columns/0/0`)).status(), 401);
    });
    await page.goto(link); // who is in is only sent on
    assert.equal(page.url(), `${origin}/`);
    link = next;
  }));

  test('a block appears when it is set, and goes when it is taken', () => looking(async (page) => {
    await drawn(page);
    assert.equal(await red(page), 0);
    play({ Set: { '8 65 8': 'minecraft:red_wool' } });
    await reds(page, (n) => n > 200);
    play({ Set: { '8 65 8': 'minecraft:air' } });
    await reds(page, (n) => n === 0);
  }, { reducedMotion: 'reduce' }));

  test('a build, a player and a conflict, in the picture and in words', () => looking(async (page) => {
    await drawn(page);
    play({ Join: steve, Operations: [operation] });
    const item = (list) => page.locator(`#${list} li`);
    await item('players').filter({ hasText: 'Steve at 4 65 11' }).waitFor();
    await item('operations').filter({ hasText: 'build aaaaaaaa in default: applying, 10 of 40 blocks' }).waitFor();
    assert.match(await page.locator('#conflicts').innerText(), /None/);
    play({ Set: house() });
    const conflicted = { ...operation, Status: 'conflict', Written: 39, Conflicts: 1, Sample: [conflict] };
    play({ Move: { ...steve, Feet: [2.5, 65, 12.5] }, Operations: [conflicted], Set: { '10 66 9': 'minecraft:gold_block' } });
    await item('players').filter({ hasText: 'Steve at 2 65 12' }).waitFor();
    await item('conflicts').filter({ hasText: '10 66 9: gold_block instead of stone, left alone by build aaaaaaaa' }).waitFor();
    await page.locator('#news').filter({ hasText: 'build aaaaaaaa: conflict.' }).waitFor();
    await judge(page, 'house');
    play({ Quit: steve.ID });
    await page.locator('#players').filter({ hasText: 'Nobody is in.' }).waitFor();
  }, { reducedMotion: 'reduce' }));

  test('all by keyboard', () => looking(async (page) => {
    await drawn(page);
    await page.locator('#conflicts li button').waitFor();
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent);
    const order = [];
    for (let i = 0; i < 11; i++) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    assert.deepEqual(order, [
      'To the lists', 'canvas', 'Turn left', 'Turn right', 'Look from higher', 'Look from lower', 'Closer', 'Farther', 'Home',
      'Show build aaaaaaaa', 'Show conflict at 10 66 9',
    ]);
    const canvas = page.locator('#canvas');
    const shot = async () => {
      await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
      return (await canvas.screenshot()).toString('base64');
    };
    await canvas.focus();
    const first = await shot();
    for (const key of ['ArrowLeft', 'ArrowUp', 'w', 'r', '+']) {
      const was = await shot();
      await page.keyboard.press(key);
      assert.notEqual(await shot(), was, key);
    }
    await page.keyboard.press('Home');
    assert.equal(await shot(), first);
    for (const name of ['Turn right', 'Closer']) {
      const was = await shot();
      await page.getByRole('button', { name, exact: true }).press('Enter');
      assert.notEqual(await shot(), was, name);
    }
    const was = await shot();
    await page.getByRole('button', { name: 'Show conflict at 10 66 9' }).press('Space');
    assert.notEqual(await shot(), was);
    await chromium.picture(page, 'world near');
  }, { reducedMotion: 'reduce' }));

  test('without WebGL the lists tell', () => looking(async (page) => {
    await page.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'draws no WebGL' }).waitFor();
    await page.locator('#operations li').filter({ hasText: 'build aaaaaaaa' }).waitFor();
    assert.equal(await page.locator('canvas').isVisible(), false);
    await judge(page, 'without WebGL');
  }, {}, /Error creating WebGL context/));

  test('says that the world is gone, and shows what it missed when it is back', () => looking(async (page) => {
    await drawn(page);
    play({ Operations: [] });
    await page.locator('#operations').filter({ hasText: 'None yet.' }).waitFor();
    play({ Away: true, Set: { '12 65 14': 'minecraft:red_wool' } });
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
    await chromium.picture(page, 'world gone');
    assert.equal(await red(page), 0);
    play({ Back: true });
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await reds(page, (n) => n > 200);
  }, { reducedMotion: 'reduce' }, /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY/));
});
