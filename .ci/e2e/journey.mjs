// A way through the whole platform: chapters in the order that lets each succeed,
// over what the ones before have left in the place {tools, admin, names, …}.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { strongKey } from './keys.mjs';
import { queueIn } from './projection.mjs';

const at = (id) => ({ path: { id } });
const ids = (page) => page.items.map((item) => item.id);

/** Gets every item of a list, one or two of them a page. */
async function all(tools, name, args, limit) {
  const items = [];
  let cursor;
  do {
    const parameters = { ...args.parameters, limit, ...(cursor && { cursor }) };
    const page = await tools.use(name, { ...args, parameters });
    assert.ok(page.items.length <= limit);
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor);
  return items;
}

/** Asks for a run until it is in one of the states. */
async function until(tools, id, ...states) {
  for (const end = Date.now() + 60_000; ; await delay(100)) {
    const run = await tools.use('get_run', at(id));
    if (states.includes(run.state)) return run;
    assert.ok(Date.now() < end, `the run stays ${run.state}: ${run.failure}`);
  }
}

export async function projects(place) {
  const { tools, suffix } = place;
  const id = place.project = randomUUID();
  const slug = `tides-${suffix}`;
  const created = await tools.create('create_project', { ...at(id), body: { slug, name: 'Tides' } });
  assert.equal(created.role, 'owner');
  const change = { ...at(id), body: { description: 'Models of tides.' } };
  assert.equal(await tools.apply('update_project', change, 1), 2);
  const second = { ...at(randomUUID()), body: { slug: `${slug}-2`, name: 'More' } };
  const other = await tools.create('create_project', second);
  const listed = (await all(tools, 'list_projects', { parameters: { state: 'active' } }, 1)).map((p) => p.id);
  assert.deepEqual(listed.slice(0, 2), [other.id, id]);

  const member = { path: { id, party_id: place.colleague }, body: { role: 'member' } };
  assert.equal(await tools.apply('set_project_member', member, 2), 3);
  const { items: members } = await tools.use('list_project_members', at(id));
  assert.deepEqual(members.map((m) => m.role).sort(), ['member', 'owner']);

  assert.equal(await tools.apply('archive_project', at(id), 3), 4);
  assert.equal((await tools.use('get_project', at(id))).state, 'archived');
  assert.equal(await tools.apply('restore_project', at(id), 4), 5);
}

export async function parties(place) {
  const { tools } = place;
  const me = place.me = await tools.use('get_my_party', {});
  assert.equal(me.operator, true);
  const body = { affiliation: `Harbour ${place.suffix}` };
  assert.equal(await tools.apply('update_my_party', { body }, me.revision), me.revision + 1);
  assert.equal((await tools.use('get_party', at(me.id))).affiliation, body.affiliation);
  assert.deepEqual(await tools.use('list_parties', { parameters: { prefix: 'grace' } }),
    { items: [await tools.use('get_party', at(place.colleague))] });

  const setup = await tools.use('get_my_party_setup', {});
  assert.deepEqual([setup.ready, setup.todo], [true, []]);
  const { items: [newest] } = await tools.use('list_aup_versions', {});
  assert.deepEqual([newest.version, newest.current], [setup.aup_version, true]);
  const policy = await tools.use('get_aup_version', { path: { version: newest.version } });
  assert.equal(policy.text, place.policy);
  const { items: [acceptance] } = await tools.use('list_my_aup_acceptances', {});
  assert.deepEqual([acceptance.version, acceptance.digest], [newest.version, newest.digest]);
}

export async function keys(place) {
  const { tools } = place;
  const public_key = strongKey();
  const check = await tools.use('validate_ssh_key', { body: { public_key: `${public_key} grace@harbour` } });
  assert.deepEqual([check.valid, check.algorithm, check.comment], [true, 'ssh-ed25519', 'grace@harbour']);
  const id = place.key = randomUUID();
  const added = await tools.create('add_ssh_key', { ...at(id), body: { name: 'laptop', public_key } });
  assert.deepEqual([added.public_key, added.fingerprint], [public_key, check.fingerprint]);
  assert.equal(await tools.apply('rename_ssh_key', { ...at(id), body: { name: 'old laptop' } }, 1), 2);
  assert.equal((await tools.use('get_ssh_key', at(id))).name, 'old laptop');
  assert.ok(ids(await tools.use('list_ssh_keys', {})).includes(id));
}

/** Says hello to somebody, and takes its time. */
const greeting = {
  parameters: [{ name: 'who', default: 'world' }],
  steps: [
    { kind: 'echo', name: 'greet', text: 'hello ${who}' },
    { kind: 'hash', name: 'digest', text: '${who}', rounds: 1 },
    { kind: 'wait', name: 'pause', milliseconds: 20 },
  ],
};

/** Goes on until it is cancelled. */
const endless = { steps: [{ kind: 'wait', name: 'pause', milliseconds: 60_000 }] };

export async function pipelines(place) {
  const { tools, project } = place;
  const id = place.pipeline = randomUUID();
  const body = { project_id: project, name: 'Greeting', definition: greeting };
  const created = await tools.create('create_pipeline', { ...at(id), body });
  assert.deepEqual([created.state, created.definition], ['draft', greeting]);
  assert.equal(await tools.apply('publish_pipeline', at(id), 1), 2);
  assert.equal(await tools.apply('revise_pipeline', { ...at(id), body: { definition: endless } }, 2), 3);
  assert.equal(await tools.apply('publish_pipeline', at(id), 3), 4);
  const now = await tools.use('get_pipeline', at(id));
  assert.deepEqual([now.state, now.version, now.published_version], ['published', 2, 2]);
  const versions = await all(tools, 'list_pipeline_versions', at(id), 1);
  assert.deepEqual(versions.map((v) => [v.version, v.published]), [[2, true], [1, true]]);

  const draft = place.draft = randomUUID();
  await tools.create('create_pipeline', { ...at(draft), body: { ...body, name: 'Draft' } });
  const listed = await all(tools, 'list_pipelines', { parameters: { project } }, 1);
  assert.deepEqual(listed.map((p) => p.id), [draft, id]);
}

export async function runs(place) {
  const { tools, project, pipeline } = place;
  const id = place.run = randomUUID();
  const submission = { pipeline_id: pipeline, version: 1, queue: 'short', parameters: { who: 'Ada' } };
  assert.equal(await tools.apply('submit_run', { ...at(id), body: submission }, 0, 202), 1);
  const done = await until(tools, id, 'succeeded', 'failed', 'cancelled');
  assert.deepEqual([done.state, done.steps_done, done.parameters], ['succeeded', 3, { who: 'Ada' }]);
  const log = await tools.use('get_run_log', at(id));
  assert.match(log, /^#1\.1 greet: hello Ada$/m);
  assert.match(log, /^#1\.2 digest: [0-9a-f]{64}$/m);
  const events = (await all(tools, 'list_run_events', at(id), 2)).map((e) => e.kind);
  assert.deepEqual(events, ['submitted', 'started', ...Array(3).fill('step_succeeded'), 'succeeded']);
  const filter = { project, pipeline, state: 'succeeded' };
  assert.deepEqual(ids(await tools.use('list_runs', { parameters: filter })), [id]);
}

export async function queues(place) {
  const { tools, pipeline } = place;
  const { items } = await tools.use('list_hpc_queues', { parameters: { state: 'open' } });
  assert.ok(items.length > 1);
  const id = randomUUID();
  const body = { pipeline_id: pipeline, version: 2, queue: 'gpu' };
  await tools.apply('submit_run', { ...at(id), body }, 0, 202);
  await until(tools, id, 'running');

  const name = { path: { name: 'gpu' } };
  const { measured_at, ...queue } = await tools.use('get_hpc_queue', name);
  assert.deepEqual(queue.load, { queued: 0, running: 1, utilisation: 1 / queue.limits.running_runs });
  const projected = await queueIn(await tools.use('get_hpc_queue_projection', name));
  assert.ok(projected.measured_at >= new Date(measured_at));
  delete projected.measured_at;
  assert.deepEqual(projected, queue);

  assert.equal(await tools.apply('cancel_run', at(id), 1, 202), 2);
  await until(tools, id, 'cancelled');
  assert.equal(await tools.apply('retry_run', at(id), 2, 202), 3);
  assert.equal((await until(tools, id, 'running')).attempt, 2);
  await tools.apply('cancel_run', at(id), 3, 202);
  await until(tools, id, 'cancelled');

  const { runs } = await tools.use('get_project_usage', at(place.project));
  assert.deepEqual(runs, { started: 3, unfinished: 0, succeeded: 1, failed: 0, cancelled: 2 });
}

export async function support(place) {
  const { tools, me } = place;
  const id = place.ticket = randomUUID();
  const body = { title: 'The queue is full', body: 'Since this morning.\nWhy?' };
  const opened = await tools.create('create_support_ticket', { ...at(id), body });
  assert.deepEqual([opened.status, opened.requester_id], ['open', me.id]);
  assert.equal(await tools.apply('update_support_ticket', { ...at(id), body: { title: 'gpu is full' } }, 1), 2);
  const comment = { ...at(id), body: { body: 'It happens again.' } };
  assert.equal(await tools.apply('add_support_ticket_comment', comment, 2, 201), 3);
  const { items: [said] } = await tools.use('list_support_ticket_comments', at(id));
  assert.deepEqual([said.number, said.author_id, said.body], [1, me.id, comment.body.body]);

  const waiting = await tools.use('list_support_queue', { parameters: { status: 'open', limit: 100 } });
  assert.ok(ids(waiting).includes(id));
  assert.equal(await tools.apply('assign_support_ticket', { ...at(id), body: { assignee_id: me.id } }, 3), 4);
  const mine = await tools.use('list_support_tickets', { parameters: { status: 'assigned' } });
  assert.ok(ids(mine).includes(id));

  assert.match(await tools.use('get_support_ticket_transcript', at(id)), /^gpu is full\n[^]*It happens again\./);
  assert.equal(await tools.apply('close_support_ticket', at(id), 4), 5);
  assert.equal((await tools.use('get_support_ticket', at(id))).status, 'closed');
}

/** Takes away what the others have made. */
export async function deletions(place) {
  const { tools, project } = place;
  await tools.apply('delete_run', at(place.run), 1);
  await tools.apply('delete_pipeline', at(place.draft), 1);
  await tools.apply('retire_pipeline', at(place.pipeline), 4);
  await tools.apply('remove_project_member', { path: { id: project, party_id: place.colleague } }, 5);
  await tools.apply('delete_ssh_key', at(place.key), 2);
  await tools.apply('archive_project', at(project), 6);
  await tools.apply('delete_project', at(project), 7);
  await tools.problem('get_run', at(place.run), 404, 'not_found');
  await tools.problem('get_project', at(project), 404, 'not_found');
}
