// Calls tools whose results have no envelope: a success is the bare object, a
// failure a text that begins with its HTTP status.

import assert from 'node:assert/strict';

import { Toolbox } from './toolbox.mjs';

export class BareToolbox extends Toolbox {
  /** Calls a tool; returns {result}, valid and the same twice, or {failure}. */
  async call(name, args) {
    return this.read(name, await this.connection.call(name, args));
  }

  /** Reads what any client was answered. */
  read(name, { isError = false, structuredContent, content }) {
    const said = `${name}: ${JSON.stringify(structuredContent ?? content)}`;
    const valid = this.outputs.get(name);
    if (!isError && !valid) { // there is nothing to say
      assert.deepEqual([content, structuredContent], [[], undefined], said);
      return { result: {} };
    }
    assert.deepEqual(content.map((c) => c.type), ['text'], said);
    if (isError) {
      assert.equal(structuredContent, undefined, said);
      assert.match(content[0].text, /^[45]\d\d: \S/);
      return { failure: content[0].text };
    }
    assert.ok(valid(structuredContent), `${said}: ${JSON.stringify(valid.errors)}`);
    assert.ok(!valid({}), `${name}: its schema admits anything`);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent, said);
    return { result: structuredContent };
  }

  /** Calls a tool that must succeed; returns its result. */
  async use(name, args = {}) {
    const said = await this.call(name, args);
    assert.ok(said.result, `${name}: ${said.failure}`);
    this.used.add(name);
    return said.result;
  }

  /** Calls a tool that must fail so. */
  async refuse(name, args, status, words = /./) {
    const { result, failure } = await this.call(name, args);
    assert.ok(failure?.startsWith(`${status}: `), `${name}: ${failure ?? JSON.stringify(result)}`);
    assert.match(failure, words);
  }
}
