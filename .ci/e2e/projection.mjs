// Reads what the platform gives as Protobuf, by its .proto and a decoder that
// is not ours.

import assert from 'node:assert/strict';
import path from 'node:path';

import protobuf from 'protobufjs';

import { root } from './processes.mjs';

/**
 * Returns the queue in a result {media_type, base64}, with the members of the
 * JSON representation, and measured_at as a Date.
 */
export async function queueIn({ media_type, base64 }) {
  assert.equal(media_type, 'application/x-protobuf');
  const schema = await new protobuf.Root().load(path.join(root, 'api/platform/hpc.proto'), { keepCase: true });
  const type = schema.lookupType('pharos.platform.hpc.v1.QueueProjection');
  const bytes = Buffer.from(base64, 'base64');
  const message = type.decode(bytes);
  // A field that the .proto does not have would be lost on the way.
  assert.deepEqual(Buffer.from(type.encode(message).finish()), bytes);
  const { state, measured_at, ...queue } = type.toObject(message, { longs: Number, enums: String, defaults: true });
  return {
    ...queue,
    state: state.replace('STATE_', '').toLowerCase(),
    measured_at: new Date(measured_at.seconds * 1000 + measured_at.nanos / 1e6),
  };
}
