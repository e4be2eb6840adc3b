// Judges what goes over the wire: every tool of a project is called with
// arguments that use all of its input, and Prism, which reads the original
// document and knows nothing of ours, says whether the request is one that the
// document allows. What it replies must be what our tool promises.

import { createServer, request } from 'node:http';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execPath } from 'node:process';

import { argumentsOf } from './arguments.mjs';
import { freePort, run, start } from './processes.mjs';

const prism = path.join(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');

/**
 * The document as Prism gets it: nobody has to authenticate, neither by a scheme
 * nor by a parameter, which the manifest drops because it is a credential. And
 * forms say of their lists what OpenAPI means where they say nothing, because
 * Prism takes a list for a string there; nor is there a format "url", whose
 * replies Prism makes at random and then finds wrong.
 */
function open(document, manifest) {
  delete document.security;
  delete document.components?.securitySchemes;
  delete document.securityDefinitions;
  const decisions = Object.assign({}, ...Object.values(manifest.catalogs).flatMap((c) => Object.values(c.operations)));
  for (const [url, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!operation || typeof operation !== 'object' || Array.isArray(operation)) continue;
      delete operation.security;
      spell(document, operation);
      const dropped = decisions[`${method.toUpperCase()} ${url}`]?.drop ?? [];
      const kept = (p) => !dropped.includes(follow(document, p).name);
      if (operation.parameters) operation.parameters = operation.parameters.filter(kept);
      if (item.parameters) item.parameters = item.parameters.filter(kept);
    }
  }
  return document;
}

function spell(document, operation) {
  const { content = {} } = follow(document, operation.requestBody ?? {});
  for (const [kind, media] of Object.entries(content)) {
    if (!/form/.test(kind)) continue;
    const { properties = {} } = follow(document, media.schema ?? {});
    for (const [name, schema] of Object.entries(properties)) {
      if (follow(document, schema).type !== 'array') continue;
      media.encoding ??= {};
      media.encoding[name] ??= { style: 'form', explode: true };
    }
  }
}

function follow(document, node) {
  if (!node.$ref) return node;
  return node.$ref.split('/').slice(1).reduce((at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** Stands in front of Prism and keeps the last exchange. */
async function listen(port) {
  const watch = { last: null };
  const server = createServer(async (from, to) => {
    const sent = Buffer.concat(await from.toArray());
    const ahead = request({ port, method: from.method, path: from.url, headers: from.headers }, async (reply) => {
      const body = Buffer.concat(await reply.toArray());
      watch.last = {
        method: from.method, path: from.url, headers: from.headers, sent: sent.toString(),
        status: reply.statusCode, type: reply.headers['content-type'] ?? '', violations: reply.headers['sl-violations'],
        body: body.toString(),
      };
      to.writeHead(reply.statusCode, reply.headers).end(body);
    });
    ahead.on('error', (error) => {
      watch.last = { method: from.method, path: from.url, status: 0, type: '', body: error.message };
      to.destroy();
    });
    ahead.end(sent);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  watch.url = `http://127.0.0.1:${server.address().port}`;
  watch.stop = () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); });
  return watch;
}

/** One message to an MCP server without sessions. */
async function ask(url, method, params) {
  const reply = await fetch(url, {
    method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  });
  const message = await reply.json();
  return message.result ?? { isError: true, structuredContent: { error: message.error } };
}

/**
 * Calls every tool of the project, a module with its program built, against
 * Prism with the document. Returns one finding a call: {tool, fault, detail},
 * where the fault is '' for one that both sides agree on.
 */
export async function judge({ document, project }) {
  const copy = path.join(project, 'prism.json');
  const read = async (file) => JSON.parse(await readFile(file, 'utf8'));
  const opened = JSON.stringify(open(await read(document), await read(path.join(project, 'manifest.json'))));
  await writeFile(copy, opened.replaceAll('"format":"url"', '"format":"uri"'));
  const port = await freePort();
  const running = [];
  try {
    const mock = await start(execPath, [prism, 'mock', '--dynamic', '--seed', 'pharos', '--errors', '--port', `${port}`, copy],
      { until: /Prism is listening/, patience: 120_000 });
    running.push(mock);
    const watch = await listen(port);
    running.push(watch);
    const config = await read(path.join(project, 'edge.json'));
    config.listen = '127.0.0.1:0';
    config.authentication = { mode: 'anonymous' };
    config.admission = { calls_per_minute: -1 };
    config.upstreams = Object.fromEntries(Object.keys(config.upstreams).map((name) => [name, { url: watch.url }]));
    await writeFile(path.join(project, 'wire.json'), JSON.stringify(config));
    const edge = await start(path.join(project, 'server'), ['-config', 'wire.json'], { cwd: project, until: /MCP: (\S+)/ });
    running.push(edge);
    const url = edge.match[1];
    const findings = [];
    for (const tool of (await ask(url, 'tools/list', {})).tools) findings.push(await call(url, watch, tool));
    return findings;
  } finally {
    for (const each of running.reverse()) await each.stop();
  }
}

async function call(url, watch, tool) {
  const { value, problems } = argumentsOf(tool.inputSchema);
  const found = (fault, detail) => ({ tool: tool.name, fault, detail, arguments: value, exchange: watch.last });
  watch.last = null;
  if (problems) return found('arguments', problems);
  const result = await ask(url, 'tools/call', { name: tool.name, arguments: value });
  const said = result.structuredContent ?? {};
  const seen = watch.last;
  if (!seen) return found('not sent', JSON.stringify(said.error));
  const problem = /json/.test(seen.type) ? parsed(seen.body) : null;
  if (seen.violations || seen.status === 0 || /stoplight\.io\/prism\/errors/.test(problem?.type ?? '')) {
    return found('violation', `${problem?.title ?? seen.body}: ${seen.violations ?? JSON.stringify(problem?.validation ?? problem?.detail)}`);
  }
  // Where a document declares no success, Prism has only failures to give.
  const agreed = seen.status < 300 ? !result.isError : said.status === seen.status && said.error?.code !== 'invalid_reply';
  return agreed ? found('', '') : found('reply', JSON.stringify(said.error));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Makes a project of each document, {name: file}, in a folder; all are built. */
export async function build(documents, work) {
  const sources = path.join(work, 'documents');
  await mkdir(sources);
  for (const [name, file] of Object.entries(documents)) await copyFile(file, path.join(sources, `${name}.json`));
  const projects = path.join(work, 'projects');
  await run('go', ['run', './internal/corpus', '-mcpgen', 'bin/mcpgen', '-keep', projects, sources]);
  return (name) => ({ document: path.join(sources, `${name}.json`), project: path.join(projects, name) });
}
