// A browser shows the pages of play: to a game master and a player, in both
// languages, without scripts, by keyboard alone, and to who cannot see well.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import * as chromium from './browser.mjs';
import { servePlay } from './play.mjs';
import * as walk from './play-walk.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2, levels A and AA, and what axe itself recommends. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const desktop = { width: 1280, height: 800 };
const phone = { width: 375, height: 740 };
const narrowest = { width: 320, height: 568 };

/** How a page is looked at: each language has the other half. */
const screens = {
  en: { 'light desktop': ['light', desktop], 'dark phone': ['dark', phone] },
  pl: { 'dark desktop': ['dark', desktop], 'light phone': ['light', phone] },
};

const locales = { en: 'en-GB', pl: 'pl-PL' };

describe('pages of play', () => {
  let server, browser;

  before(async () => {
    [server, browser] = await Promise.all([servePlay(), chromium.launch()]);
    await Promise.all([
      server.add('greta', 'en', 'Greta'), server.add('grazyna', 'pl', 'Grażyna'), server.add('adam', 'pl', 'Adam'),
      server.add('plain', 'en', 'Plain'),
    ]);
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** What is said on the console of a failure that was to be, and of a logout. */
  const meant = /^(Failed to load resource: the server responded with a status of (401|403|404|409|422) |Clear-Site-Data .*: Cleared)/;

  const quiet = (seen) => {
    assert.deepEqual(seen.complaints.filter((text) => !meant.test(text)), []);
    assert.deepEqual([...new Set(seen.requests)], [server.url]);
  };

  /** Uses a browser that is quiet throughout. */
  const looking = (use, options = {}) => chromium.looking(browser, async (page, seen) => {
    page.setDefaultTimeout(15_000);
    await use(page);
    quiet(seen);
  }, { viewport: desktop, reducedMotion: 'reduce', ...options });

  /** The whole way of both. */
  const everything = async (language, [gm, player], look, options = {}) => {
    const context = { locale: locales[language], ...options };
    let play;
    await looking(async (page) => {
      const w = new walk.Walker(page, server.url, look);
      await walk.enter(w, gm, server.passwords.get(gm));
      const story = await walk.writeScenario(w);
      play = await walk.assign(w, story, player);
      await walk.review(w, play);
      await walk.keepWiki(w);
      await walk.keepTokens(w);
      await walk.leave(w);
    }, context);
    await looking(async (page) => {
      await walk.see(new walk.Walker(page, server.url, look), play, player, server.passwords.get(player));
    }, context);
  };

  // clause: P-46
  test('everything can be done without scripts', async () => {
    const seen = [];
    await everything('en', ['plain', 'player'], (name) => seen.push(name), { javaScriptEnabled: false });
    assert.ok(seen.length > 40, `${seen}`);
  });

  const judge = (language) => async (name, page) => {
    assert.equal(await page.locator('html').getAttribute('lang'), language, name);
    await page.evaluate(axe);
    for (const [screen, [colorScheme, viewport]] of Object.entries(screens[language])) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(async (runOnly) => {
        const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] });
        return violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.html} ${n.failureSummary}`).join('\n')}`);
      }, rules);
      assert.deepEqual(found, [], `${name}, ${language}, ${screen}`);
      await chromium.fits(page, name);
    }
    await page.setViewportSize(narrowest);
    await chromium.fits(page, name);
    for (const [screen, viewport] of chromium.pictures ? [['desktop', desktop], ['phone', phone]] : []) {
      for (const colorScheme of ['light', 'dark']) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        await chromium.picture(page, `${name} ${language} ${colorScheme} ${screen}`);
      }
    }
    await page.setViewportSize(desktop);
  };

  // clause: P-46, P-53
  for (const [language, people] of [['en', ['greta', 'player']], ['pl', ['grazyna', 'adam']]]) {
    test(`every page is for everybody, ${language}`, () => everything(language, people, judge(language)));
  }

  // clause: P-46
  test('a game master leads a session by keyboard alone', () => looking(async (page) => {
    const typist = new Typist(page);
    await page.goto(server.url);
    await page.keyboard.press('Tab');
    assert.equal(await typist.focused.getAttribute('href'), '#content'); // over the menu
    await page.keyboard.press('Enter');
    await typist.type('#username', 'gm');
    await typist.type('#password', server.passwords.get('gm'));
    await typist.go('main form button');

    await typist.go('a[href="/plays/new/"]');
    await typist.go('a.button[href^="/plays/new/?scenario="]');
    await typist.type('#player', 'player');
    await typist.reach('#mode input:checked');
    await page.keyboard.press('ArrowDown');
    assert.ok(await page.locator('#mode-downtime').isChecked());
    const texts = { character: 'Bea', brief: 'One night.', instructions: '', boundaries: 'None.', return_condition: 'Dawn.' };
    for (const [id, text] of Object.entries(texts)) await typist.type(`#${id}`, text);
    const scene = page.locator('#node fieldset').first().locator('input').first();
    const current_scene = await scene.inputValue();
    await typist.reach(`#node-${current_scene}`);
    await page.keyboard.press('Space');
    await typist.go('main form button');
    const play = new URL(page.url()).pathname;

    await typist.go(`form[action="${play}token/"] button`);
    await typist.reach('#config');
    await page.keyboard.press('ControlOrMeta+A');
    const selected = await page.evaluate(() => getSelection().toString());
    const consequences = [{ category: 'discovery', description: 'It works.' }];
    await walk.playTurn(walk.pasted(selected), { current_scene, consequences });
    await typist.go(`main a.button[href="${play}"]`);

    await typist.go(`a[href="${play}review/"]`);
    await typist.reach('input[value=later]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('So be it.');
    await typist.go('main form button');
    assert.equal(await page.locator('input[name=consequence]').count(), 0);
    await typist.go(`main a.button[href="${play}"]`);
    assert.match(await page.locator('#decisions').innerText(), /approved[^]*So be it\./);
    const [report] = await Promise.all([page.waitForEvent('download'), typist.press(`a[href="${play}report/?lang=en"]`)]);
    assert.match(await readFile(await report.path(), 'utf8'), /So be it/);
  }));
});

/** Somebody without a mouse. */
class Typist {
  constructor(page) {
    this.page = page;
  }

  /** What has the focus, and shows it. */
  get focused() {
    return this.page.locator(':focus-visible');
  }

  /** Goes on with Tab to what is sought. */
  async reach(sought) {
    for (let i = 0; i < 80; i++) {
      await this.page.keyboard.press('Tab');
      const found = this.page.locator(sought).and(this.focused);
      if (await found.count() === 1) {
        assert.notEqual(await found.evaluate((element) => getComputedStyle(element).outlineStyle), 'none', sought);
        return;
      }
    }
    throw new Error(`no way to ${sought} by keyboard`);
  }

  async type(field, text) {
    await this.reach(field);
    await this.page.keyboard.type(text);
  }

  async press(button) {
    await this.reach(button);
    await this.page.keyboard.press('Enter');
  }

  /** Presses what leads to another page. */
  async go(button) {
    await Promise.all([this.page.waitForNavigation(), this.press(button)]);
  }
}
