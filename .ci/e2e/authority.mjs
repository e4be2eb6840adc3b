// Serves everything on free ports, and sits before a browser without scripts.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { start } from './processes.mjs';

/**
 * Serves platform, login service, broker and edge, which pages of the origins
 * may call: {url, issuer, stop}.
 */
export async function serveAuthority(origins = []) {
  const work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
  const config = path.join(work, 'pharos.json');
  const listen = '127.0.0.1:0';
  await writeFile(config, JSON.stringify({
    edge: { listen, origins }, broker: { listen }, devidp: { listen }, platform: { listen, private_listen: listen },
    database: { state: 'postgres' },
  }));
  const running = await start('bin/pharos', ['serve', '-config', config, 'platform', 'devidp', 'broker', 'edge'], { until: /MCP: (\S+)[^]*^}/m });
  const url = running.match[1];
  return {
    url,
    issuer: new URL(url).origin,
    stop: async () => {
      await running.stop();
      await rm(work, { recursive: true });
    },
  };
}

/** Where clients want the browser back. Nobody listens there. */
export const returnURL = 'http://127.0.0.1:1/callback';

/**
 * Answers the consent page of an authorization URL, and logs in as a user. The
 * result is the address that the browser is sent back to, and the scopes that
 * the page named.
 */
export async function consent(url, user, answer = 'allow', back = returnURL) {
  const browser = new Browser(back);
  const page = await browser.open(url);
  const asked = [...page.text.matchAll(/<code>([^<]*)<\/code>/g)].map((m) => m[1]);
  const login = await browser.press(page, 'answer', answer);
  const done = login.returned ? login : await browser.press(login, 'user', user);
  assert.ok(done.returned, `the browser is at ${done.url}: ${done.text}`);
  return { returned: done.returned, asked };
}

class Browser {
  cookies = new Map();

  constructor(back) {
    this.back = back;
  }

  async open(url, options = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(url, { ...options, redirect: 'manual', headers: { ...options.headers, cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]*)=([^;]*)/.exec(line);
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const to = reply.headers.get('location');
    if (to === null) {
      assert.equal(reply.status, 200, `${url}: ${await reply.clone().text()}`);
      return { url, text: await reply.text() };
    }
    return to.startsWith(this.back) ? { returned: new URL(to) } : this.open(new URL(to, url));
  }

  /** Submits the page's form by one of its buttons. */
  press(page, name, value) {
    const form = new URLSearchParams();
    for (const [, key, text] of page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
      form.append(key, plain(text));
    }
    assert.match(page.text, new RegExp(`<button [^>]*name="${name}" value="${value}"`));
    form.append(name, value);
    const action = plain(/<form method="post" action="([^"]*)"/.exec(page.text)[1]);
    return this.open(new URL(action, page.url), { method: 'POST', body: form });
  }
}

/** An attribute's value as it is meant. */
function plain(text) {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code)).replaceAll('&amp;', '&');
}
