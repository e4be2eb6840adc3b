// Facilitated solo play, from an assignment to its report, by MCP clients that
// are not ours.

import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { clients } from './clients.mjs';
import { assignment, opened, publish, servePlay } from './play.mjs';

const tools = ['commit_play_turn', 'finish_play_session', 'get_play_context', 'read_play_journal', 'search_play_memory'];

const turns = [
  {
    player_action: 'Pomagam Mirze przeszukać przystań.', narration: 'Pod deską leży wyrwana kartka, a ślady wiodą ku latarni.',
    memory_markdown: '# Stan\nPrzystań przed świtem.\n', current_scene: 'przystan',
    consequences: [
      { category: 'relationship', description: 'Mira może zostać kontaktem Ćmy.' },
      { category: 'resource', description: 'Ćma ma kartkę.' },
    ],
  },
  {
    player_action: 'Wchodzę do latarni.', narration: 'Zażółć gęślą jaźń – ktoś to wyrył na schodach.',
    memory_markdown: '# Stan\nSchody latarni.\n', current_scene: 'latarnia', consequences: [],
  },
  {
    player_action: 'Wracam.', narration: 'Świta. Łódź już czeka.', memory_markdown: '# Stan\nŚwit, przystań; źródło światła zgasło.\n',
    current_scene: 'przystan', consequences: [{ category: 'discovery', description: 'Napis na schodach.' }],
  },
];

describe('play', () => {
  let server, gm, player, scenario_id, authorToken;

  before(async () => {
    server = await servePlay();
    [gm, player] = await Promise.all([server.login('gm'), server.login('player')]);
    authorToken = await gm.authorToken();
    const author = await opened('TypeScript v2, newest protocol', server.author, authorToken);
    try {
      scenario_id = await publish(author);
    } finally {
      await author.connection.close();
    }
  });

  after(() => server?.stop());

  /** Assigns the story to the player: {id, token}. */
  const assign = async () => {
    const id = randomUUID();
    const body = { id, scenario_id, source_version: 1, player_username: 'player', ...assignment };
    assert.equal((await gm.ask('POST', '/api/plays/', body)).role, 'gm');
    const { token } = await player.ask('POST', `/api/plays/${id}/access/`);
    return { id, token };
  };

  for (const name of ['TypeScript v1', 'TypeScript v2, handshake', 'TypeScript v2, newest protocol']) {
    describe(name, () => {
      const receipts = [];
      let id, token, seat, finish;

      before(async () => {
        ({ id, token } = await assign());
        seat = await opened(name, server.play, token);
      });

      after(() => seat?.connection.close());

      const commit = (turn, expected_version, operation_id = randomUUID()) => ({ operation_id, expected_version, ...turn });

      // clause: P-01, P-10
      test('reads what was assigned', async () => {
        assert.deepEqual(seat.names, tools);
        const context = await seat.use('get_play_context');
        assert.equal(context.version, 1);
        assert.equal(context.assignment.current_scene, 'przystan');
        assert.equal(context.recap, null);
        assert.deepEqual(context.materials.map((m) => m.id).sort(), [...assignment.published_node_ids].sort());
        assert.doesNotMatch(JSON.stringify(context), /TAJNE/);
      });

      // clause: P-13, P-15
      test('plays three turns', async () => {
        for (const [i, turn] of turns.entries()) {
          const args = commit(turn, i + 1);
          const receipt = await seat.use('commit_play_turn', args);
          receipts.push({ args, receipt });
          assert.deepEqual([receipt.session_id, receipt.version, receipt.replayed], [id, i + 2, false]);
          assert.deepEqual(receipt.consequences.map(({ category, description }) => ({ category, description })), turn.consequences);
        }
        assert.deepEqual(receipts[0].receipt.consequences.map((c) => c.status), ['pending', 'approved']);
        const { memory_markdown, events } = await seat.use('get_play_context');
        assert.equal(memory_markdown, turns[2].memory_markdown);
        assert.deepEqual(events.map((e) => e.narration), turns.map((t) => t.narration));
      });

      // clause: P-11
      test('reads the journal in pages', async () => {
        const pages = [];
        for (const offset of [0, 2]) {
          const page = await seat.use('read_play_journal', { offset, limit: 2 });
          assert.deepEqual([page.total, page.offset], [3, offset]);
          pages.push(...page.entries);
        }
        assert.deepEqual(pages.map((e) => [e.version, e.kind, e.action]), turns.map((t, i) => [i + 2, 'turn', t.player_action]));
        assert.deepEqual((await seat.use('read_play_journal')).entries, pages);
      });

      // clause: P-12
      test('finds Polish words, however they are written', async () => {
        for (const query of ['zażółć gęślą', 'ZAZOLC GESLA', 'zazołc']) {
          const { version, memory, journal } = await seat.use('search_play_memory', { query });
          assert.deepEqual([version, memory, journal.map((j) => j.version)], [4, [], [3]], query);
          assert.match(journal[0].excerpt, /Zażółć gęślą jaźń/);
        }
        assert.equal((await seat.use('search_play_memory', { query: 'ZRODLO' })).memory.length, 1);
        assert.deepEqual((await seat.use('search_play_memory', { query: '%_* OR "' })).journal, []);
      });

      // clause: P-21, P-22, P-23
      test('repeats a turn, and not another one', async () => {
        const [{ args, receipt }] = receipts;
        assert.deepEqual(await seat.use('commit_play_turn', args), { ...receipt, replayed: true });
        await seat.refuse('commit_play_turn', { ...args, narration: 'Inaczej.' }, 409, /operation_id/);
        await seat.refuse('commit_play_turn', commit(turns[1], 2), 409, /version is 4, not 2/);
        await seat.refuse('finish_play_session', { operation_id: args.operation_id, expected_version: 4, summary: 'Koniec.' }, 409);
      });

      // clause: P-14, P-17, P-37
      test('writes nothing that may not be', async () => {
        for (const scene of ['mira', 'loch', 'nigdzie']) {
          await seat.refuse('commit_play_turn', commit({ ...turns[1], current_scene: scene }, 4), 422);
        }
        const consequences = [{ ...turns[0].consequences[0], status: 'approved' }];
        await seat.refuse('commit_play_turn', commit({ ...turns[1], consequences }, 4), 422, /status/);
        assert.equal((await seat.use('get_play_context')).version, 4);
      });

      // clause: P-18
      test('finishes', async () => {
        finish = { operation_id: randomUUID(), expected_version: 4, summary: 'Ćma wraca o świcie.' };
        const finished = await seat.use('finish_play_session', finish);
        assert.deepEqual(finished, { status: 'completed', version: 5, pending_consequences: 2, replayed: false });
        assert.deepEqual(await seat.use('finish_play_session', finish), { ...finished, replayed: true });
        await seat.refuse('commit_play_turn', commit(turns[1], 5), 409, /completed/);
        assert.equal((await seat.use('commit_play_turn', receipts[2].args)).replayed, true);
      });

      // clause: P-43
      test('hears what the game master decided', async () => {
        const [{ receipt: first }, , { receipt: third }] = receipts;
        const decisions = [
          { id: first.consequences[0].id, decision: 'approved', note: 'Mira pamięta.' },
          { id: third.consequences[0].id, decision: 'rejected', note: 'Napis starła fala.' },
        ];
        const review = { operation_id: randomUUID(), expected_version: 5, decisions };
        const reviewed = await gm.ask('POST', `/api/plays/${id}/review/`, review);
        assert.deepEqual([reviewed.version, reviewed.pending_consequences, reviewed.replayed], [6, 0, false]);
        assert.equal((await gm.ask('POST', `/api/plays/${id}/review/`, review)).replayed, true);
        assert.equal((await player.send('POST', `/api/plays/${id}/review/`, review)).status, 403);

        const context = await seat.use('get_play_context');
        assert.deepEqual([context.version, context.recap], [6, finish.summary]);
        assert.deepEqual(Object.fromEntries(context.consequences.map((c) => [c.description, [c.status, c.note]])), {
          'Mira może zostać kontaktem Ćmy.': ['approved', 'Mira pamięta.'],
          'Napis na schodach.': ['rejected', 'Napis starła fala.'],
          'Ćma ma kartkę.': ['approved', ''],
        });
        const { total, entries } = await seat.use('read_play_journal');
        assert.deepEqual([total, entries.map((e) => e.version)], [4, [2, 3, 4, 5]]);
        assert.equal((await seat.use('commit_play_turn', receipts[0].args)).consequences[0].status, 'pending');
      });

      // clause: P-44, P-45
      test('is reported in both languages, to each what is theirs', async () => {
        for (const [lang, heading] of [['en', /^# Report of a play session/], ['pl', /^# Raport z sesji/]]) {
          const [whole, public_] = await Promise.all([gm, player].map((who) => who.ask('GET', `/api/plays/${id}/report/?lang=${lang}`)));
          for (const text of [whole, public_]) {
            for (const words of [heading, /gęślą jaźń/, /Mira pamięta/, /wraca o świcie/]) assert.match(text, words);
          }
          assert.match(whole, /TAJNE: latarnik żyje/);
          assert.doesNotMatch(public_, /TAJNE/);
        }
      });

      test('leaves no tool out', () => assert.deepEqual([...seat.used].sort(), tools));
    });
  }

  for (const name of ['Inspector, handshake', 'Inspector, newest protocol']) {
    // clause: P-01, P-37
    test(`${name}, call by call`, async () => {
      const { token } = await assign();
      const at = { url: server.play, token };
      const listed = await clients[name].list(at);
      assert.deepEqual(listed.map((t) => t.name).sort(), tools);
      const seat = await opened('TypeScript v2, newest protocol', server.play, token);
      try {
        const { result } = seat.read('get_play_context', await clients[name].call(at, 'get_play_context', {}));
        assert.deepEqual(result, await seat.use('get_play_context'));
      } finally {
        await seat.connection.close();
      }
      const stale = { operation_id: randomUUID(), expected_version: 9, summary: 'Koniec.' };
      const { failure } = seat.read('finish_play_session', await clients[name].call(at, 'finish_play_session', stale));
      assert.match(failure, /^409: .*version is 1, not 9/);
    });
  }

  describe('at the door', () => {
    let token;

    before(async () => {
      ({ token } = await assign());
    });

    const send = (url, bearer, method = 'POST', cookie = '') => fetch(url, {
      method, body: method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : undefined,
      headers: {
        'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
        ...(bearer && { Authorization: `Bearer ${bearer}` }), ...(cookie && { Cookie: cookie }),
      },
    });

    // clause: P-01
    for (const method of ['GET', 'DELETE']) {
      test(`${method} is not how to ask`, async () => {
        for (const [url, bearer] of [[server.play, token], [server.author, authorToken]]) {
          const reply = await send(url, bearer, method);
          assert.deepEqual([reply.status, reply.headers.get('Allow')], [405, 'POST']);
        }
      });
    }

    // clause: P-02, P-04, P-48
    test('a token opens its own endpoint alone, and a login none', async () => {
      const bodies = new Set();
      for (const [url, own, other] of [[server.play, token, authorToken], [server.author, authorToken, token]]) {
        assert.equal((await send(url, own)).status, 200);
        const refused = [[other], ['unknown'], [''], ['', gm.cookie], [other, gm.cookie], [own.slice(0, -1)]];
        for (const [bearer, cookie] of refused) {
          const reply = await send(url, bearer, 'POST', cookie);
          assert.deepEqual([reply.status, reply.headers.get('WWW-Authenticate')], [401, 'Bearer']);
          bodies.add(await reply.text());
        }
      }
      assert.equal(bodies.size, 1, [...bodies].join('\n'));
      for (const at of ['oauth-protected-resource', 'oauth-protected-resource/play/mcp', 'oauth-authorization-server']) {
        assert.equal((await fetch(`${server.url}/.well-known/${at}`)).status, 404);
      }
    });

    // clause: P-06
    test('a new token ends the one before, and revocation the last', async () => {
      const { id, token: first } = await assign();
      const { token: second } = await gm.ask('POST', `/api/plays/${id}/access/`);
      assert.deepEqual([(await send(server.play, first)).status, (await send(server.play, second)).status], [401, 200]);
      assert.equal((await player.send('DELETE', `/api/plays/${id}/access/`)).status, 204);
      assert.equal((await send(server.play, second)).status, 401);
      assert.equal((await gm.ask('GET', `/api/plays/${id}/`)).version, 1);
    });
  });
});
