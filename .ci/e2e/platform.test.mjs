// Every tool of the platform, called through the edge by clients that are not
// ours, against the real service over a database of its own.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { clients } from './clients.mjs';
import * as journey from './journey.mjs';
import { weakKey } from './keys.mjs';
import { servePharos } from './pharos.mjs';
import { Toolbox, withCommand } from './toolbox.mjs';

/** How many operations of the platform are tools. */
const operations = 54;

const policy = 'Use the platform for research only.\n';

describe('platform', () => {
  let server, colleague;

  const opened = async (name) => new Toolbox(await clients[name].open(server));

  before(async () => {
    server = await servePharos({ mode: 'token' });
    colleague = /^party: (\S+)$/m.exec(await server.administer('user', 'add', 'grace'))[1];
  });

  after(() => server?.stop());

  // clause: E-40
  test('asks for the policy to be accepted', async () => {
    const file = path.join(server.folder, 'policy.txt');
    await writeFile(file, policy);
    await server.administer('aup', 'publish', file);
    const tools = await opened('TypeScript v2, newest protocol');
    try {
      assert.deepEqual((await tools.use('get_my_party_setup', {})).todo, ['accept_aup']);
      await tools.problem('list_projects', {}, 403, 'setup_required');
      await server.administer('aup', 'accept', 'developer');
      await tools.use('list_projects', {});
    } finally {
      await tools.connection.close();
    }
  });

  for (const name of ['TypeScript v1', 'TypeScript v2, newest protocol']) {
    describe(name, () => {
      const place = { policy, suffix: randomUUID().slice(0, 8) };
      let tools;

      before(async () => {
        tools = place.tools = await opened(name);
        place.colleague = colleague;
      });

      after(() => tools?.connection.close());

      test('lists a tool for every operation', () => assert.equal(tools.names.length, operations));

      // clause: E-12, E-14, E-40, E-42
      for (const chapter of ['projects', 'parties', 'keys', 'pipelines', 'runs']) {
        test(chapter, () => journey[chapter](place));
      }

      // clause: E-15
      test('queues', () => journey.queues(place));

      test('support', () => journey.support(place));

      // clause: E-10
      test('the example of a ticket', async () => {
        const ticket = await tools.use('create_support_ticket', {
          path: { id: '11111111-1111-4111-8111-111111111111' },
          parameters: { 'Idempotency-Key': '22222222-2222-4222-8222-222222222222', 'If-Match': '0' },
          body: { title: 'A support request', body: 'Please investigate.' },
        }, 201);
        assert.equal(ticket.revision, 1);
      });

      // clause: E-16
      test('commands on what is not there', async () => {
        const path = { id: randomUUID() };
        const outcomes = [
          ['update_project', { path, body: { name: 'Nothing' } }],
          ['publish_pipeline', { path }],
          ['cancel_run', { path }],
        ];
        for (const [tool, args] of outcomes) {
          assert.equal((await tools.reject(tool, withCommand(args, 1), 404, 'not_found')).version, 0);
        }
        await tools.problem('get_project', { path }, 404, 'not_found');
      });

      // clause: E-16, E-41
      test('commands that come too late, or twice', async () => {
        const project = { path: { id: place.project }, body: { name: 'Too late' } };
        assert.equal((await tools.reject('update_project', withCommand(project, 1), 409, 'stale_revision')).version, 5);
        const pipeline = { path: { id: place.pipeline }, body: { name: 'Too late' } };
        await tools.reject('revise_pipeline', withCommand(pipeline, 1), 409, 'stale_revision');
        const run = { path: { id: place.run } };
        await tools.reject('cancel_run', withCommand(run, 1), 409, 'run_finished');

        const ticket = { path: { id: randomUUID() }, body: { title: 'Once', body: 'And never again.' } };
        const create = withCommand(ticket, 0);
        const first = await tools.call('create_support_ticket', create);
        assert.equal(first.status, 201);
        assert.deepEqual(await tools.call('create_support_ticket', create), first);
        const other = { ...create, body: { ...create.body, title: 'Twice' } };
        await tools.reject('create_support_ticket', other, 409, 'idempotency_key_reuse');
      });

      // clause: E-16
      test('commands against the rules', async () => {
        const path = { id: randomUUID() };
        const key = { path, body: { name: 'weak', public_key: weakKey() } };
        await tools.reject('add_ssh_key', withCommand(key, 0), 422, 'weak_key');
        const steps = [{ kind: 'echo', name: 'greet', text: 'hello ${whom}' }];
        const pipeline = { path, body: { project_id: place.project, name: 'Wrong', definition: { steps } } };
        const wrong = await tools.reject('create_pipeline', withCommand(pipeline, 0), 422, 'definition_invalid');
        assert.match(wrong.detail, /whom/);
        const body = { pipeline_id: place.pipeline, version: 1, queue: 'short', parameters: { whom: 'Ada' } };
        const refused = await tools.reject('submit_run', withCommand({ path, body }, 0), 422, 'parameters_invalid');
        assert.match(refused.detail, /whom/);
        const leave = { path: { id: place.project, party_id: place.me.id } };
        await tools.reject('remove_project_member', withCommand(leave, 5), 422, 'last_owner');
        const assign = { path: { id: '11111111-1111-4111-8111-111111111111' }, body: { assignee_id: colleague } };
        await tools.reject('assign_support_ticket', withCommand(assign, 1), 422, 'assignee_no_operator');
      });

      test('deletions', () => journey.deletions(place));

      // clause: E-40
      test('leaves no tool out', () => assert.deepEqual([...tools.used].sort(), tools.names));
    });
  }
});
