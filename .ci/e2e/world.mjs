// Serves a world on free ports, and builds there as clients do.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import Ajv2020 from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import { freePort, start } from './processes.mjs';

/**
 * Serves a small flat world and its MCP server, and more services beside them.
 * The result holds url and token, of MCP; rpc, which calls a method with the key
 * of "admin" or "agent", and rpcURL; config, the file; and stop.
 */
export async function serveWorld({ services = [] } = {}) {
  const work = await mkdtemp(path.join(tmpdir(), 'pharos-e2e-'));
  const folder = path.join(work, 'world');
  const config = path.join(work, 'pharos.json');
  const port = await freePort();
  const cameras = { gate: { x: 0.5, y: 66, z: 60.5, yaw: 180, pitch: 5, width: 320, height: 180 } };
  await writeFile(config, JSON.stringify({
    world: { listen: `127.0.0.1:${port}`, java: '127.0.0.1:0', live: '127.0.0.1:0', folder, cameras }, world_mcp: { listen: '127.0.0.1:0' },
    camera: { listen: '127.0.0.1:0' }, database: { state: 'postgres' },
  }));
  const running = await start('bin/pharos', ['serve', '-config', config, ...services, 'world', 'world-mcp'], { until: /^MCP: (\S+)[^]*^}/m });
  const key = async (holder) => (await readFile(path.join(folder, 'pharos/keys', holder), 'utf8')).trim();
  const projects = JSON.parse(await readFile(path.join(folder, 'pharos/projects.json'), 'utf8'));
  return {
    url: running.match[1], rpcURL: `http://127.0.0.1:${port}/v1/rpc`, token: await key('agent'), config, folder,
    rpc: async (holder, method, params = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/rpc`, {
        method: 'POST',
        headers: { 'Authorization': `Bearer ${await key(holder)}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ method, params: { player_id: projects.projects[0].owner, project_id: 'default', ...params } }),
      });
      return { status: answer.status, ...await answer.json() };
    },
    stop: async () => {
      await running.stop();
      await rm(work, { recursive: true, maxRetries: 5 });
    },
  };
}

/** A builder: it judges each result by the schema that the tool has. */
export class Builder {
  /** call is (name, args) → the result of tools/call; tools are those listed. */
  constructor(tools, call) {
    const ajv = formats(new Ajv2020({ strict: false, allErrors: true, logger: false }));
    this.tools = tools;
    this.outputs = new Map(tools.map((t) => [t.name, ajv.compile(t.outputSchema)]));
    this.ask = call;
  }

  /** Calls a tool that must succeed; returns its result. */
  async use(name, args = {}) {
    const { isError = false, structuredContent, content } = await this.ask(name, args);
    const said = `${name}: ${JSON.stringify(structuredContent ?? content)}`;
    assert.ok(!isError, said);
    assert.ok(this.outputs.get(name)(structuredContent), `${said}: ${JSON.stringify(this.outputs.get(name).errors)}`);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent, said);
    return structuredContent;
  }

  /** Calls a tool that must fail with a code; returns what it says. */
  async refuse(name, args, code) {
    const { isError = false, content } = await this.ask(name, args);
    assert.ok(isError, `${name}: ${JSON.stringify(content)}`);
    const [, got, message] = /^([a-z_]+): (.*)$/s.exec(content[0].text) ?? [];
    assert.equal(got, code, content[0].text);
    return message;
  }

  /** Has a picture taken; returns what is told of it, and the picture as png. */
  async look(args) {
    let capture = await this.use('camera_capture', args);
    assert.equal(capture.status, 'pending');
    for (let i = 0; i < 400; i++) {
      await sleep(50);
      const reply = await this.ask('camera_capture', { capture_id: capture.captureId });
      assert.ok(!reply.isError, JSON.stringify(reply.content));
      capture = reply.structuredContent;
      if (capture.status === 'pending') continue;
      const [text, image, ...rest] = reply.content;
      assert.deepEqual([text.type, image.type, image.mimeType, rest], ['text', 'image', 'image/png', []]);
      assert.ok(!('imageBase64' in capture), 'the picture comes as content alone');
      return { ...capture, png: Buffer.from(image.data, 'base64') };
    }
    throw new Error('the picture is never done');
  }

  /** Applies a plan and waits for its end; returns the operation. */
  async apply({ plan_id, plan_hash }, idempotency_key = randomUUID()) {
    let operation = await this.use('build_apply', { plan_id, plan_hash, idempotency_key });
    for (let i = 0; ['queued', 'applying'].includes(operation.status); i++) {
      assert.ok(i < 200, JSON.stringify(operation));
      await sleep(50);
      operation = await this.use('operation_status', { operation_id: operation.operation_id });
    }
    return operation;
  }
}
