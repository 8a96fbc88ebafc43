import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { buildSessionHeaders, signIn, startServerWithGoogle } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { addWorkspace } from '../support/second-workspace.ts';
import { reachServer, startTestServer, type Answer, type TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

let server: TestServer;
let google: GoogleEmulator;
let closeServer: () => Promise<void>;
let database: OwnerDatabase;
let world: World;
let before: Record<string, string>;

beforeAll(async () => {
  ({ server, google, close: closeServer } = await startServerWithGoogle());
  database = await openAsOwner(server.connectionString);
  world = createWorld(server, google);
});
afterAll(async () => {
  await database.close();
  await closeServer();
});

async function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const authorization = `Bearer ${server.key}`;
  const init = { method: 'POST', headers: { authorization, 'content-type': 'application/json', ...headers }, body };
  return readAnswer(await server.request(path, init));
}

async function readAnswer(response: Response): Promise<Answer> {
  const body = (await response.json()) as Record<string, unknown>; // an answer or a problem; both are objects
  return { status: response.status, body, headers: response.headers };
}

/** The error as RFC 9457 has it, and nothing changed since the test began. */
async function expectRefused(answer: Answer, status: number, code: string, detail: RegExp): Promise<void> {
  expect(answer.body).toEqual({
    type: `urn:thalamus:error:${code}`,
    title: code.replaceAll('_', ' '),
    status,
    detail: expect.stringMatching(detail),
    code,
    request_id: answer.headers.get('x-request-id'),
    ...(answer.body['details'] !== undefined && { details: expect.any(Object) }),
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await database.state()).toEqual(before);
}

const noId = '01920000-0000-7000-8000-00000000dead';

describe('a body that cannot be understood', () => {
  beforeEach(async () => void (before = await database.state()));

  const bodies: [what: string, body: string, detail: RegExp][] = [
    ['a list', '[{"content": "x"}]', /must be a JSON object/],
    ['a text', '"content"', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['nothing', '', /content: required but missing/],
    ['with an unknown field', '{"content": "x", "colour": "red"}', /unknown field 'colour'. Known fields: content, /],
    ['with a field of every object', '{"content": "x", "constructor": 1}', /unknown field 'constructor'/],
    ['with a prototype', '{"content": "x", "__proto__": {"type": "fact"}}', /unknown field '__proto__'/],
    [
      'with an unknown field further in',
      '{"content": "x", "triggers": [{"condition": "a", "reason": "b", "c": 1}]}',
      /triggers.0: unknown field 'c'/,
    ],
    ['with a text that is too long', JSON.stringify({ content: 'x'.repeat(32_001) }), /content: .*32000/],
    [
      'with too long a list',
      JSON.stringify({ content: 'x', triggers: Array.from({ length: 21 }, () => ({ condition: 'a', reason: 'b' })) }),
      /triggers: .*20/,
    ],
    ['with nothing but space', '{"content": "   "}', /content: /],
    ['with a word that is none of the choices', '{"content": "x", "type": "rumour"}', /type: .*decision/],
    ['with a number for a text', '{"content": 5}', /content: .*expected string/],
    ['with a text for an id', '{"content": "x", "target_brain_id": "my brain"}', /target_brain_id: .*must be an id/],
    ['with a time that is none', '{"content": "x", "occurred_at": "yesterday"}', /occurred_at: .*ISO datetime/],
    ['with a character no text can hold', '{"content": "a\\u0000b"}', /content: .*NUL/],
    ['with half a character', '{"content": "a\\ud83d"}', /content: contains an incomplete Unicode character/],
    [
      'with such a character further in',
      '{"content": "x", "triggers": [{"condition": "\\u0000", "reason": "b"}]}',
      /triggers.0.condition: .*NUL/,
    ],
    ['with one in a name', '{"content": "x", "a\\u0000b": 1}', /NUL/],
    ['nested without end', `{"content": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /nested too deeply/],
  ];

  test.for(bodies)('%s is refused and changes nothing', async ([, body, detail]) => {
    await expectRefused(await post('/v1/tools/add_memory', body), 422, 'invalid_input', detail);
  });

  test.for(['{"content": "x"', 'content=x', '{content: "x"}', '{"content": "x"} and more'])(
    'the malformed JSON %s is a bad request',
    async (body) => {
      await expectRefused(await post('/v1/tools/add_memory', body), 400, 'malformed_json', /not valid JSON/);
      const path = '/v1/memory/list';
      expect((await post('/auth/sign-in', body, { origin: server.url })).body).toMatchObject({
        code: 'malformed_json',
      });
      await expectRefused(await post(path, body), 405, 'method_not_allowed', /Send GET or HEAD/);
    },
  );

  test.for(['application/x-www-form-urlencoded', 'text/plain', 'application/xml', 'multipart/form-data; boundary=x'])(
    'of the media type %s is refused, whatever it holds',
    async (type) => {
      for (const body of ['content=x', '{"content": "x"}', '<a/>'])
        await expectRefused(
          await post('/v1/tools/add_memory', body, { 'content-type': type }),
          415,
          'unsupported_media_type',
          /Send JSON, with the header content-type: application\/json/,
        );
      const signIn = await post('/auth/sign-in', '{"token":"x"}', { 'content-type': type, origin: server.url });
      expect(signIn.status).toBe(415);
    },
  );

  test.for(['application/json; charset=utf-8', 'application/problem+json', 'APPLICATION/JSON'])(
    'of the type %s is JSON',
    async (type) => {
      const answer = await post('/v1/tools/search_memory', '{"q": "x"}', { 'content-type': type });
      expect(answer.status).toBe(200);
    },
  );

  test('a query of the wrong form is refused', async () => {
    const init = { headers: { authorization: `Bearer ${server.key}` } };
    for (const query of ['limit=many', 'limit=', 'limit=0', 'limit=1e99', 'offset=-1', 'type=rumour', 'colour=red']) {
      const answer = await readAnswer(await server.request(`/v1/memory/list?${query}`, init));
      await expectRefused(answer, 422, 'invalid_input', new RegExp(query.split('=')[0] ?? ''));
    }
  });

  test('that is too large is refused before it is read whole', async () => {
    const body = JSON.stringify({ content: 'x'.repeat(1_000_001) });
    const refused = await post('/v1/tools/add_memory', body);
    await expectRefused(refused, 413, 'payload_too_large', /at most 1000000 bytes/);
    expect(refused.body['details']).toEqual({ max_bytes: 1_000_000 });
  });

  test('that comes in pieces without a length is refused too', async () => {
    let sent = 0;
    const pieces = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 200) controller.close();
        else controller.enqueue(new Uint8Array(100_000).fill(32));
      },
    });
    const init: RequestInit = { method: 'POST', body: pieces, headers: { authorization: `Bearer ${server.key}` } };
    const response = await server.request('/v1/tools/add_memory', { ...init, duplex: 'half' } as RequestInit);
    await expectRefused(await readAnswer(response), 413, 'payload_too_large', /at most/);
    expect(sent).toBeLessThan(200);
  });

  test('a name of no operation gets similar names', async () => {
    const answer = await post('/v1/tools/store_memory', '{}');
    await expectRefused(answer, 404, 'not_found', /There is no operation store_memory\. See .*add_memory/);
  });
});

describe('an id', () => {
  test('that never existed, of another kind, or of another workspace is not found', async () => {
    const { key } = await addWorkspace(server);
    const others = createWorld(reachServer(server.url, key), google, 'mallory@example.com');
    const [memory, brain, foreign] = [
      await world.make('memory'),
      await world.make('brain'),
      await others.make('memory'),
    ];
    before = await database.state();
    for (const id of [noId, brain, foreign]) {
      const answer = await server.call('archive_memory', { id });
      await expectRefused(answer, 404, 'not_found', /^No such memory, or you may not see it/);
      const linked = { source_memory_id: memory, target_memory_id: id, relationship_type: 'refines' };
      await expectRefused(await server.call('link_memories', linked), 404, 'not_found', /^No such memory/);
    }
  });

  test('that is invalid fails a call with valid ids too', async () => {
    const brain = await world.make('brain');
    before = await database.state();
    const answer = await server.call('brain_overview', { brain_id: [brain, noId] });
    await expectRefused(answer, 404, 'not_found', /^No such brain/);
  });
});

describe('a credential', () => {
  const call = (key: string) => server.call('add_memory', { content: 'Stored by nobody' }, { key });

  test.for([
    ['that is garbage', 'garbage', /Keys begin with cm_/],
    ['that never was', `cm_${'x'.repeat(43)}`, /No such key/],
    ['cut short', 'cm_ownerkey', /No such key/],
    ['of a session that never was', `ts_${'x'.repeat(43)}`, /session has ended/],
    ['of a sign-in link', `tl_${'x'.repeat(43)}`, /not a key or session/],
  ] as const)('%s is refused', async ([, key, detail]) => {
    before = await database.state();
    const answer = await call(key);
    await expectRefused(answer, 401, 'unauthenticated', detail);
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", resource_metadata="http[^"]+\/oauth-protected-resource", scope="memory:read"$/,
    );
  });

  test('that is missing is requested before the input is read', async () => {
    before = await database.state();
    for (const headers of [{}, { authorization: 'Basic b3duZXI6' }, { authorization: server.key }]) {
      const response = await server.request('/v1/tools/add_memory', { method: 'POST', headers, body: '{"colour": 1' });
      await expectRefused(await readAnswer(response), 401, 'unauthenticated', /Authorization: Bearer cm_…/);
    }
  });

  test('that has expired is refused', async () => {
    const { key, key_id } = await server.ok('create_key', { label: 'short-lived', expires_in_days: 1 });
    await database.rows(`update keys set expires_at = now() - interval '1 second' where id = $1`, [key_id]);
    before = await database.state();
    await expectRefused(await call(String(key)), 401, 'unauthenticated', /has expired/);
  });

  test('that was revoked is refused within a second, although it was in use', async () => {
    const { key, key_id } = await server.ok('create_key', { label: 'leaked' });
    expect((await call(String(key))).status).toBe(200);
    await server.ok('revoke_key', { key_id });
    await sleep(1_000); // a key is known for a second
    before = await database.state();
    await expectRefused(await call(String(key)), 401, 'unauthenticated', /was revoked/);
  });

  test('without the scope gets the name of the missing scope', async () => {
    const { key } = await server.ok('create_key', { label: 'reader', scopes: ['memory:read'] });
    before = await database.state();
    const answer = await call(String(key));
    await expectRefused(answer, 403, 'forbidden', /add_memory needs the scope memory:write/);
    expect(answer.body['details']).toEqual({ scope: 'memory:write' });
  });

  test('of the console is refused on a page of another origin', async () => {
    const { cookie, proof } = await signIn(server);
    const session = buildSessionHeaders({ cookie, proof });
    before = await database.state();
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: 'not an origin' },
      { origin: `${server.url}.evil.example.com` },
      { origin: server.url, 'sec-fetch-site': 'cross-site' },
      { origin: server.url, 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      const init = { method: 'POST', headers: { ...session, ...headers }, body: '{"content": "x"}' };
      const answer = await readAnswer(await server.request('/v1/tools/add_memory', init));
      await expectRefused(answer, 403, 'forbidden', /works only in the console/);
    }
  });

  test('with too many calls gets the time to wait, and another credential is not affected', async () => {
    const limited = await startTestServer({ THALAMUS_RATE_LIMIT: '20' });
    try {
      const { key } = await limited.ok('create_key', { label: 'busy' });
      const answers: Answer[] = [];
      for (let call = 0; call < 25; call += 1) answers.push(await limited.call('who_am_i', {}, { key: String(key) }));
      expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
      const [last] = answers.slice(-1);
      const wait = Number(last?.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(last?.body).toMatchObject({ code: 'rate_limited', details: { retry_after: wait } });
      expect((await limited.call('who_am_i')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

describe('an Idempotency-Key', () => {
  const store = (content: string, key: string, callerKey = server.key) =>
    server.call('add_memory', { content }, { key: callerKey, headers: { 'idempotency-key': key } });
  const stored = async (content: string) =>
    (await database.rows('select id from memories where content = $1', [content])).length;

  test('that is repeated gets the same answer, and has one effect', async () => {
    const first = await store('Said twice', 'again');
    before = await database.state();
    const second = await store('Said twice', 'again');
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(await database.state()).toEqual(before);
    expect(await stored('Said twice')).toBe(1);
  });

  test('that is repeated with other input is refused', async () => {
    await store('Said first', 'reused');
    before = await database.state();
    await expectRefused(
      await store('Said second', 'reused'),
      409,
      'conflict',
      /was used for a request with other input/,
    );
  });

  test('that is repeated many times at once has one effect', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => store('Said at once', 'at once')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(await stored('Said at once')).toBe(1);
  });

  test('of one caller or operation does not apply to another', async () => {
    const { key } = await server.ok('create_key', { label: 'another' });
    const mine = await store('Said by two', 'shared');
    const theirs = await store('Said by two', 'shared', String(key));
    expect(theirs.body['id']).not.toBe(mine.body['id']);
    const other = await server.call('create_brain', { name: 'Shared' }, { headers: { 'idempotency-key': 'shared' } });
    expect(other.status).toBe(200);
  });

  test('of a call that failed may be used again', async () => {
    const input = { content: 'Said after a failure', target_brain_id: noId };
    const failed = await server.call('add_memory', input, { headers: { 'idempotency-key': 'failed' } });
    expect(failed.status).toBe(404);
    expect((await store('Said after a failure', 'failed')).status).toBe(200);
  });

  test('that is too long is refused', async () => {
    before = await database.state();
    await expectRefused(await store('x', 'k'.repeat(256)), 422, 'invalid_input', /at most 255 characters/);
  });

  test('keeps the answer of a decision too, and one mail is sent', async () => {
    const draft_id = await world.make('draft');
    google.ledger.clear();
    const confirm = () => server.call('confirm_action', { draft_id }, { headers: { 'idempotency-key': 'decided' } });
    const first = await confirm();
    expect(first).toMatchObject({ status: 200, body: { status: 'confirmed' } });
    expect(await confirm()).toMatchObject({ status: 200, body: first.body });
    expect(google.ledger.sent()).toHaveLength(1);
  });
});

test.for([
  ['GET', '/v1/tools/add_memory', 'POST'],
  ['POST', '/v1/memory/list', 'GET, HEAD'],
  ['PUT', '/openapi.json', 'GET, HEAD'],
  ['PUT', '/v1/pages/a-slug', 'GET, HEAD, PATCH'],
  ['POST', '/inbox', 'GET, HEAD'],
  ['PATCH', '/healthz', 'GET, HEAD'],
  ['GET', '/oauth/token', 'POST'],
  ['GET', '/auth/sign-in', 'POST'],
] as const)('%s %s is refused, and the answer names %s', async ([method, path, allow]) => {
  const answer = await server.request(path, { method });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
});

test('a path at which nothing is stays missing for every method', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
    expect((await server.request('/v1/nothing-here', { method })).status, method).toBe(404);
});
