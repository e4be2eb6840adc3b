// A scripted agent on the official TypeScript SDK of the Agent Client Protocol.
// Its tools are the MCP server that it is told of. It knows three words: build,
// wait and shell.

import { pid, stdin, stdout } from 'node:process';
import { randomUUID } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import * as acp from '@agentclientprotocol/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { agent: own, client: theirs } = acp.methods;
const name = 'pharos-e2e';
const sessions = new Map(); // what of a session's tools, and its turn

async function connect({ url, headers }) {
  const client = new Client({ name, version: '1' });
  const head = Object.fromEntries(headers.map((h) => [h.name, h.value]));
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: head } }));
  return client;
}

/** One turn: what it says, asks and calls. */
class Turn {
  constructor(client, sessionId, tools, signal) {
    Object.assign(this, { client, sessionId, tools, signal, calls: 0 });
  }

  async say(text) {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${text}\n` } };
    await this.client.notify(theirs.session.update, { sessionId: this.sessionId, update });
  }

  async may(title) {
    const { outcome } = await this.client.request(theirs.session.requestPermission, {
      sessionId: this.sessionId, toolCall: { toolCallId: `ask-${title}`, title },
      options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }, { optionId: 'no', name: 'No', kind: 'reject_once' }],
    });
    return outcome.outcome === 'selected' && outcome.optionId === 'yes';
  }

  /** Calls a tool, as a client sees it; returns {result, pictures}. */
  async use(tool, args = {}) {
    const toolCallId = `call-${++this.calls}`;
    const show = (update) => this.client.notify(theirs.session.update, { sessionId: this.sessionId, update: { toolCallId, ...update } });
    await show({ sessionUpdate: 'tool_call', title: `mcp__world__${tool}`, status: 'in_progress', rawInput: args });
    const { isError, structuredContent: result, content } = await this.tools.callTool({ name: tool, arguments: args }, { signal: this.signal });
    await show({ sessionUpdate: 'tool_call_update', status: isError ? 'failed' : 'completed', rawOutput: content });
    if (isError) throw new Error(content[0].text);
    return { result, pictures: content.filter((c) => c.type === 'image') };
  }

  async picture(of) {
    const pose = { x: -6, y: 72, z: 14, yaw: -135, pitch: 30, width: 320, height: 180 };
    let { result, pictures } = await this.use('camera_capture', { pose, ...of });
    while (result.status !== 'done') {
      await sleep(100, undefined, { signal: this.signal });
      ({ result, pictures } = await this.use('camera_capture', { capture_id: result.captureId }));
    }
    return `${pictures.length} picture, ${pictures[0].mimeType}, a preview: ${result.preview ?? false}`;
  }

  async build() {
    const { result: project } = await this.use('project_context');
    const [min, max] = [{ x: 2, y: 65, z: 2 }, { x: 6, y: 69, z: 6 }];
    const { result: before } = await this.use('region_inspect', { min, max, detail: 'summary' });
    await this.say(`I see ${before.palette.map((p) => `${p.count} of ${p.state}`)}`);
    const operations = [{ type: 'box', min, max, block: 'minecraft:bricks', hollow: true }];
    const { result: plan } = await this.use('build_prepare', { recipe: { version: 1, operations } });
    await this.say(`I plan ${plan.changed_blocks} blocks`);
    if (project.extensions.includes('render')) await this.say(`It would look like this: ${await this.picture({ plan_id: plan.plan_id })}`);
    if (!await this.may('mcp__world__build_apply')) return this.say('I may not');
    let { result: built } = await this.use('build_apply', {
      plan_id: plan.plan_id, plan_hash: plan.plan_hash, idempotency_key: randomUUID(),
    });
    while (['queued', 'applying'].includes(built.status)) {
      await sleep(50, undefined, { signal: this.signal });
      ({ result: built } = await this.use('operation_status', { operation_id: built.operation_id }));
    }
    await this.say(`It is ${built.status}, with ${built.written} blocks`);
    await this.say(`It looks like this: ${await this.picture({ after_operation_id: built.operation_id })}`);
  }

  async answer(words) {
    if (words.includes('wait')) {
      await this.say(`process ${pid} waits`);
      await sleep(600_000, undefined, { signal: this.signal });
    } else if (words.includes('shell')) {
      await this.say(`a shell: ${await this.may('bash')}, the world: ${await this.may('mcp__world__region_inspect')}`);
      const files = await this.client.request(theirs.fs.readTextFile, { sessionId: this.sessionId, path: '/etc/passwd' })
        .catch((error) => error.code);
      const names = (await this.tools.listTools()).tools.map((t) => t.name);
      await this.say(`a file: ${files}, methods of the administrator: ${names.filter((n) => /^(chat|recovery)_/.test(n)).length}`);
    } else {
      await this.build();
    }
  }
}

acp.agent({ name })
  .onRequest(own.initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: { mcpCapabilities: { http: true } },
  }))
  .onRequest(own.session.new, async ({ params }) => {
    const sessionId = randomUUID();
    sessions.set(sessionId, { tools: await connect(params.mcpServers[0]) });
    return { sessionId };
  })
  .onRequest(own.session.prompt, async ({ params, client }) => {
    const session = sessions.get(params.sessionId);
    session.turn = new AbortController();
    const turn = new Turn(client, params.sessionId, session.tools, session.turn.signal);
    try {
      await turn.answer(params.prompt.map((b) => b.text).join('').split('\n\n').at(-1));
    } catch (error) {
      if (session.turn.signal.aborted) return { stopReason: 'cancelled' };
      await turn.say(`That did not work: ${error.message}`);
    }
    return { stopReason: 'end_turn' };
  })
  .onNotification(own.session.cancel, ({ params }) => sessions.get(params.sessionId)?.turn?.abort())
  .connect(acp.ndJsonStream(Writable.toWeb(stdout), Readable.toWeb(stdin)));
