// Calls tools on one connection and judges every result: the SDK checks it, and
// so do we, for failures too, which the SDK lets pass.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import Ajv2020 from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export class Toolbox {
  /** What has succeeded, by name. */
  used = new Set();

  /** connection is what open of a client gives. */
  constructor(connection) {
    this.connection = connection;
    const ajv = formats(new Ajv2020({ strict: false, allErrors: true, logger: false }));
    this.outputs = new Map(connection.tools.map((t) => [t.name, t.outputSchema && ajv.compile(t.outputSchema)]));
  }

  /** The names of all tools, sorted. */
  get names() {
    return [...this.outputs.keys()].sort();
  }

  /** Calls a tool; returns the envelope, which is valid whatever it says. */
  async call(name, args) {
    const { isError = false, structuredContent, content } = await this.connection.call(name, args);
    const valid = this.outputs.get(name);
    const said = `${name}: ${JSON.stringify(structuredContent)}`;
    assert.ok(valid(structuredContent), `${said}: ${JSON.stringify(valid.errors)}`);
    assert.deepEqual(content.map((c) => c.type), ['text'], said);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent, said);
    const { status, result, error } = structuredContent;
    for (const wrong of [{ undeclared: true }, result !== undefined && { result: {} }]) {
      const admitted = wrong && valid({ ...structuredContent, ...wrong });
      assert.ok(!admitted, `${name}: its schema admits ${JSON.stringify(wrong)}`);
    }
    assert.equal(isError, error !== undefined || status >= 300, said);
    return structuredContent;
  }

  /** Calls a tool that must succeed; returns its result. */
  async use(name, args, status = 200) {
    const said = await this.call(name, args);
    assert.equal(said.status, status, `${name}: ${JSON.stringify(said)}`);
    this.used.add(name);
    return said.result;
  }

  /** Sends a command that must be applied; returns the revision after it. */
  async apply(name, args, revision, status = 200) {
    const result = await this.use(name, withCommand(args, revision), status);
    assert.equal(result.aggregateId, args.path?.id ?? result.aggregateId);
    assert.equal(result.status, status === 202 ? 'accepted' : 'applied');
    return result.version;
  }

  /** Creates what has the id in args; returns its representation. */
  async create(name, args) {
    const result = await this.use(name, withCommand(args, 0), 201);
    assert.equal(result.id, args.path.id);
    assert.equal(result.revision, 1);
    return result;
  }

  /** Calls a tool whose recorded outcome must be this rejection; returns it. */
  async reject(name, args, status, rejection) {
    const said = await this.call(name, args);
    assert.deepEqual([said.status, said.result?.status, said.result?.rejection], [status, 'rejected', rejection],
      `${name}: ${JSON.stringify(said)}`);
    assert.equal(said.result.aggregateId, args.path.id);
    return said.result;
  }

  /** Calls a tool that must be turned away with a problem of this code. */
  async problem(name, args, status, code) {
    const said = await this.call(name, args);
    assert.deepEqual([said.status, said.error?.code], [status, code], `${name}: ${JSON.stringify(said)}`);
    assert.equal(said.result, undefined);
  }
}

/** Arguments with the headers of a new command that expects a revision. */
export function withCommand(args, revision) {
  return { ...args, parameters: { 'Idempotency-Key': randomUUID(), 'If-Match': `${revision}`, ...args.parameters } };
}
