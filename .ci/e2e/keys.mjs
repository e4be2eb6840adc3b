// SSH keys as .pub files have them, new ones each time.

import { generateKeyPairSync } from 'node:crypto';

/** A string of the SSH protocol: its length, then its bytes. */
function field(bytes) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A positive number of the SSH protocol, out of base64url. */
function number(text) {
  const bytes = Buffer.from(text, 'base64url');
  return field(bytes[0] & 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

const line = (algorithm, ...fields) =>
  `${algorithm} ${Buffer.concat([field(Buffer.from(algorithm)), ...fields]).toString('base64')}`;

/** A key that is taken. */
export function strongKey() {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return line('ssh-ed25519', field(Buffer.from(x, 'base64url')));
}

/** A key that is too short to be taken. */
export function weakKey() {
  const { e, n } = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  return line('ssh-rsa', number(e), number(n));
}
