// The machine's Chromium, and what a person sees and hears through it.

import assert from 'node:assert/strict';
import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { chromium } from 'playwright-core';

/** Where pictures of the pages are kept, for who wants to see them. */
export const pictures = process.env.PICTURES;

/** The machine's Chromium: the one that CHROMIUM names, or of the search path. */
async function installed() {
  const usual = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = process.env.PATH.split(path.delimiter).flatMap((folder) => usual.map((name) => path.join(folder, name)));
  for (const name of process.env.CHROMIUM ? [process.env.CHROMIUM] : found) {
    if (await access(name, constants.X_OK).then(() => true, () => false)) return name;
  }
  throw new Error('no Chromium: install one, or name it in CHROMIUM');
}

/** Starts it. */
export async function launch() {
  return chromium.launch({ executablePath: await installed() });
}

/**
 * Uses a page of a new browser; the origins of everything that it asks for, and
 * what it says on its console, are kept: {requests, complaints}.
 */
export async function looking(browser, use, options = {}) {
  const context = await browser.newContext(options);
  const seen = { requests: [], complaints: [] };
  context.on('request', (request) => seen.requests.push(new URL(request.url()).origin));
  context.on('console', (message) => seen.complaints.push(message.text()));
  context.on('weberror', (error) => seen.complaints.push(error.error().message));
  try {
    await use(await context.newPage(), seen);
  } finally {
    await context.close();
  }
}

/** Keeps a picture of the page, if pictures are wanted. */
export async function picture(page, name) {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

/** Asserts that the page is no wider than the screen. */
export async function fits(page, what) {
  const [needs, has] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  assert.ok(needs <= has, `${what}: ${needs} of ${has} pixels`);
}
