// A browser shows a person the consent page and the login: by keyboard alone,
// on narrow screens and dark ones, and in nobody's frame.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

import { consent, serveAuthority } from './authority.mjs';
import * as chromium from './browser.mjs';
import { askForAccess, useAccess } from './page.mjs';

/** Serves one page to everything, on loopback. */
async function serve(page) {
  const server = createServer((_, to) => to.writeHead(200, { 'Content-Type': 'text/html' }).end(page));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    stop: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }),
  };
}

describe('browser', () => {
  let server, client, browser, address;
  const verifier = 'v'.repeat(43);

  before(async () => {
    client = await serve('<!doctype html><title>Back</title><link rel="icon" href="data:,"><p>You are back.');
    server = await serveAuthority([client.origin]);
    const reply = await fetch(new URL('/register', server.issuer), {
      method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'The desk of <b>Ada</b>', redirect_uris: [`${client.origin}/callback`] }),
    });
    const { client_id } = await reply.json();
    address = new URL('/authorize', server.issuer);
    address.search = new URLSearchParams({
      client_id, response_type: 'code', redirect_uri: `${client.origin}/callback`, state: 'of-the-client',
      resource: server.url, code_challenge_method: 'S256', code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    browser = await chromium.launch();
  });

  after(async () => {
    await browser?.close();
    await client?.stop();
    await server?.stop();
  });

  const looking = (use, options) => chromium.looking(browser, use, options);

  /** Goes on with Tab until a button with that label has the focus, and presses it. */
  const press = async (page, label) => {
    for (let i = 0; i < 10; i++) {
      await page.keyboard.press('Tab');
      const focused = page.locator('button:focus-visible');
      if (await focused.count() === 1 && (await focused.textContent()).includes(label)) {
        assert.notEqual(await focused.evaluate((button) => getComputedStyle(button).outlineStyle), 'none');
        return page.keyboard.press('Enter');
      }
    }
    throw new Error(`no way to ${label} by keyboard`);
  };

  const back = (page) => page.waitForURL(`${client.origin}/**`);

  // clause: E-32
  test('a person allows and logs in by keyboard alone', () => looking(async (page, seen) => {
    await page.goto(`${address}`);
    const said = await page.locator('main').innerText();
    for (const words of ['The desk of <b>Ada</b>', new URL(client.origin).host, 'support:write', 'the platform on this machine']) {
      assert.ok(said.includes(words), `the page does not say ${words}: ${said}`);
    }
    await press(page, 'Allow');
    await page.waitForURL(/authorize/);
    await press(page, 'Mia Member');
    await back(page);
    const answer = new URL(page.url()).searchParams;
    assert.equal(answer.get('state'), 'of-the-client');
    assert.equal(answer.get('iss'), server.issuer);
    assert.ok(answer.get('code'));
    assert.deepEqual(await page.context().cookies(server.issuer), []);
    assert.deepEqual(seen.complaints, []);
    const idp = seen.requests.filter((origin) => origin !== server.issuer && origin !== client.origin);
    assert.ok(idp.every((origin) => /^http:\/\/127\.0\.0\.1:\d+$/.test(origin)));
    assert.equal(seen.requests.length, 6, `${seen.requests}`); // two pages, two posts, the way back, the client
  }));

  // clause: E-32
  test('a person does not allow', () => looking(async (page, seen) => {
    await page.goto(`${address}`);
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await back(page);
    const answer = new URL(page.url()).searchParams;
    assert.equal(answer.get('error'), 'access_denied');
    assert.equal(answer.get('iss'), server.issuer);
    assert.equal(answer.has('code'), false);
    assert.deepEqual(seen.complaints, []);
  }));

  test('a person presses everything twice', () => looking(async (page) => {
    await page.goto(`${address}`);
    await page.getByRole('button', { name: 'Allow and log in' }).dblclick();
    await page.getByRole('button', { name: 'Mia Member' }).dblclick();
    await back(page);
    assert.ok(new URL(page.url()).searchParams.get('code'));
    await page.goto(`${address}`);
    await page.getByRole('button', { name: 'Do not allow' }).dblclick();
    await back(page);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
  }));

  test('a person goes back before the login, and does not allow', () => looking(async (page) => {
    await page.goto(`${address}`);
    await page.getByRole('button', { name: 'Allow and log in' }).click();
    await page.getByRole('button', { name: 'Mia Member' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await back(page);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');
  }));

  test('a form of another page is not taken', async () => {
    const trap = await serve(`<!doctype html><title>Trap</title><form method="post" action="${server.issuer}/consent">
      <input name="handle" value="HANDLE"><button name="answer" value="allow">Win</button></form>`);
    try {
      await looking(async (page) => {
        await page.goto(`${address}`);
        const handle = await page.locator('input[name=handle]').inputValue();
        await page.goto(trap.origin);
        await page.locator('input[name=handle]').fill(handle);
        const reply = page.waitForResponse(`${server.issuer}/consent`);
        await page.getByRole('button', { name: 'Win' }).click();
        assert.equal((await reply).status(), 403);
      });
    } finally {
      await trap.stop();
    }
  });

  test('no page of others frames it', async () => {
    const source = `${address}`.replaceAll('&', '&amp;');
    const frame = await serve(`<!doctype html><title>Trap</title><iframe src="${source}"></iframe>`);
    try {
      await looking(async (page, seen) => {
        await page.goto(frame.origin);
        const [, inner] = page.frames();
        assert.match(inner.url(), /^chrome-error:/);
        assert.ok(!(await inner.content()).includes('Allow access?'));
        assert.match(seen.complaints.join('\n'), /frame/i);
      });
    } finally {
      await frame.stop();
    }
  });

  // clause: E-30, E-34
  test('a page of a listed origin is a client', () => looking(async (page) => {
    const redirect = `${client.origin}/callback`;
    const challenge = address.searchParams.get('code_challenge');
    await page.goto(client.origin);
    const { id, to } = await page.evaluate(askForAccess, { url: server.url, redirect, challenge });
    const { returned } = await consent(to, 'member', 'allow', redirect);
    const code = returned.searchParams.get('code');
    const [list, call] = await page.evaluate(useAccess, { url: server.url, redirect, verifier, code, id });
    assert.equal(list.result.tools.length, 52);
    assert.match(JSON.stringify(call.result.structuredContent), /Mia Member/);
  }));

  test('a page of another origin reads nothing', async () => {
    const other = await serve('<!doctype html><title>Other</title><link rel="icon" href="data:,">');
    try {
      await looking(async (page) => {
        await page.goto(other.origin);
        const reading = page.evaluate((url) => fetch(url, { method: 'POST', body: '{}' }), server.url);
        await assert.rejects(reading, /Failed to fetch/);
      });
    } finally {
      await other.stop();
    }
  });

  const screens = {
    light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' },
    phone: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true },
    'dark phone': { viewport: { width: 320, height: 568 }, colorScheme: 'dark', deviceScaleFactor: 2 },
  };
  for (const [name, options] of Object.entries(screens)) {
    test(`pages fit a screen that is ${name}`, () => looking(async (page) => {
      const fits = async (what) => {
        await chromium.picture(page, `${what} ${name}`);
        await chromium.fits(page, what);
      };
      await page.goto(`${address}`);
      await fits('consent');
      await page.getByRole('button', { name: 'Allow and log in' }).click();
      await fits('login');
      await page.getByRole('button', { name: 'Uma Unregistered' }).click();
      await fits('unregistered');
      assert.match(await page.locator('main').innerText(), /not registered/);
      await page.goto(`${server.issuer}/authorize?client_id=nobody`);
      await fits('mistake');
    }, options));
  }
});
