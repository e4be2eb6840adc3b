// Calls every tool of many APIs: make test-long PART=wire. With TABLE, a file,
// the results are written there too.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

import { build, judge } from '../wire.mjs';
import { root } from '../processes.mjs';
import { many } from './documents.mjs';

const exceptions = JSON.parse(await readFile(path.join(import.meta.dirname, 'exceptions.json'), 'utf8'));
const share = 0.01;

const preface = `# Wire truth

What \`make test-long PART=wire TABLE=docs/wire.md\` found. Every tool of these documents was called, once, with arguments that use all
of its input. Prism played the API out of the original document, less what it says of credentials, and judged each request and its own
reply; the reply had to be what the tool's output schema says. An exception is a call where Prism is at fault; each is listed with the
proof. Prism decodes a list in a form only where the document spells out its encoding, so its copy does so, with OpenAPI's own default.
Its copy also says \`uri\` where the document says \`url\`, a format that Prism does not know, and asks for no credential that a decision drops.

| document | calls | agreed | exceptions |
| --- | --: | --: | --: |
`;

const work = await mkdtemp(path.join(tmpdir(), 'pharos-wire-'));
let calls = 0;
let faults = 0;
const rows = [];
const excepted = new Map();
try {
  const at = await build(many, work);
  for (const name of Object.keys(many).sort()) {
    const findings = await judge(at(name));
    let excused = 0;
    let agreed = 0;
    for (const f of findings) {
      const exception = exceptions.find((e) => e.document === name && e.tool === f.tool);
      if (!f.fault) {
        agreed++;
      } else if (exception) {
        excused++;
        excepted.set(`${name} ${f.tool}`, exception);
      } else {
        faults++;
        console.log(`${name} ${f.tool}: ${f.fault}: ${f.detail}\n\t${JSON.stringify(f.arguments)}\n\t${f.exchange?.path ?? ''}`);
      }
    }
    calls += findings.length;
    rows.push(`| ${name} | ${findings.length} | ${agreed} | ${excused} |`);
    console.log(`${name}: ${agreed} of ${findings.length} calls agreed, ${excused} exceptions`);
  }
} finally {
  await rm(work, { recursive: true });
}
console.log(`${calls} calls, ${faults} faults, ${excepted.size} exceptions (${(100 * excepted.size / calls).toFixed(2)} %)`);
if (process.env.TABLE) {
  const list = [...excepted.values()].map((e) => `| ${e.document} | ${e.tool} | ${e.proof} |`);
  const table = `${preface}${rows.join('\n')}\n\n| document | tool | proof |\n| --- | --- | --- |\n${list.join('\n')}\n\n` +
    `${calls} calls, ${faults} faults, ${excepted.size} exceptions (${(100 * excepted.size / calls).toFixed(2)} %)\n`;
  await writeFile(path.resolve(root, process.env.TABLE), table);
}
process.exitCode = faults > 0 || excepted.size > share * calls ? 1 : 0;
