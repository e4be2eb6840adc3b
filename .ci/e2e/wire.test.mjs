// Every tool of a few APIs, called with all that it can take, and judged by
// Prism; wire/run does the same for many.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { build, judge } from './wire.mjs';
import { few } from './wire/documents.mjs';

describe('wire', () => {
  let work, at, exceptions;

  before(async () => {
    work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
    exceptions = JSON.parse(await readFile(path.join(import.meta.dirname, 'wire/exceptions.json'), 'utf8'));
    at = await build(few, work);
  });

  after(async () => {
    if (work) await rm(work, { recursive: true });
  });

  for (const name of Object.keys(few)) {
    // clause: E-12, E-14, E-52
    test(name, async () => {
      const findings = await judge(at(name));
      const known = (f) => exceptions.some((e) => e.document === name && e.tool === f.tool);
      assert.ok(findings.length > 0);
      assert.deepEqual(findings.filter((f) => f.fault && !known(f)), []);
    });
  }
});
