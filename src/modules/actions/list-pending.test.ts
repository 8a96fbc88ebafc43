import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let close: () => Promise<void>;
let installId: string;

beforeAll(async () => {
  const started = await startServerWithGoogle();
  ({ server, close } = started);
  started.google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  installId = (await linkGoogle(server, started.google)).connectionId;
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await close();
});

type Row = { draft_id: string; preview: { title: string; fields: { label: string; text: string }[] } };
type Page = { count: number; total: number | null; drafts: { draft_id: string }[]; next_cursor: string | null };

async function createDraft(subject: string, batch_id?: string): Promise<string> {
  const input = { to: ['noah@example.com'], subject, body: 'Which day works?' };
  const answer = await server.ok('act_on_integration', {
    install_id: installId,
    action_name: 'send_email',
    input,
    ...(batch_id && { batch_id }),
  });
  return String(answer['draft_id']);
}

async function readPage(input: Record<string, unknown>): Promise<Page> {
  return (await server.ok('list_pending_actions', input)) as Page;
}

const listIds = ({ drafts }: Page) => drafts.map(({ draft_id }) => draft_id);

test('pages list every draft once, newest first, even drafts of the same moment and during decisions', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 7; number += 1) ids.push(await createDraft(`Paged ${number}`));
  // The microseconds are finer than the clock of this server, and three drafts share one moment.
  await database.rows(`update drafts set created_at = '2026-01-02 03:04:05.678901Z' where id = any($1)`, [
    ids.slice(0, 3),
  ]);
  const first = await readPage({ limit: 2 });
  expect(first).toMatchObject({ count: 2, total: 7 });
  const seen = listIds(first);
  await server.ok('discard_action', { draft_id: seen[1] });
  for (let cursor = first.next_cursor; cursor;) {
    const next = await readPage({ limit: 2, cursor });
    expect(next.total).toBeNull();
    seen.push(...listIds(next));
    cursor = next.next_cursor;
  }
  expect(seen).toEqual([...ids.slice(3).toReversed(), ...ids.slice(0, 3).toSorted().toReversed()]);
  expect((await readPage({})).total).toBe(6);
});

test('the drafts of one batch can be listed alone', async () => {
  const batch_id = crypto.randomUUID();
  const ids = [await createDraft('Together 1', batch_id), await createDraft('Together 2', batch_id)];
  await createDraft('Alone');
  const found = await readPage({ batch_id });
  expect(found).toMatchObject({ total: 2, next_cursor: null });
  expect(listIds(found)).toEqual(ids.toReversed());
});

test('a cursor that this operation did not return is refused', async () => {
  for (const cursor of ['draft:', 'seal:1', crypto.randomUUID(), `draft:${crypto.randomUUID()}`]) {
    const { status, body } = await server.call('list_pending_actions', { cursor });
    expect([status, body] as const).toMatchObject([422, { code: 'invalid_input' }]);
  }
});

test('rows are short; get_action has the whole draft, and so has the list on request', async () => {
  const body = 'Long words. '.repeat(400);
  const input = { to: ['noah@example.com'], subject: 'S'.repeat(400), body };
  const request = { install_id: installId, action_name: 'send_email', input };
  const id = String((await server.ok('act_on_integration', request))['draft_id']);
  for (const [operation, list] of [
    ['list_pending_actions', 'drafts'],
    ['list_actions', 'actions'],
  ] as const) {
    const [row] = Object(await server.ok(operation, { limit: 1 }))[list] as Row[];
    expect(row).toMatchObject({ draft_id: id, status: 'pending', preview: { is_shortened: true, is_complete: true } });
    const { title = '', fields = [] } = row?.preview ?? {};
    const shown = [title, ...fields.flatMap(({ label, text }) => [label, text])].join('');
    expect(shown.length).toBeGreaterThan(150);
    expect(shown.length).toBeLessThanOrEqual(300);
    expect(JSON.stringify(row).length).toBeLessThan(1_500);
    expect(row).not.toHaveProperty('payload');
    const whole = await server.ok('get_action', { draft_id: id });
    expect(whole).toMatchObject({ payload: { body } });
    const [full] = Object(await server.ok(operation, { limit: 1, detail: 'full' }))[list] as Row[];
    expect(whole).toMatchObject(full ?? {});
  }
  await server.ok('discard_action', { draft_id: id });
});

test('an equal pending draft joins the batch of the second caller', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const id = await createDraft('Same again', one);
  expect(await createDraft('Same again', other)).toBe(id);
  expect(listIds(await readPage({ batch_id: one }))).toEqual([]);
  expect(listIds(await readPage({ batch_id: other }))).toEqual([id]);
  expect(await createDraft('Same again')).toBe(id);
  expect(listIds(await readPage({ batch_id: other }))).toEqual([id]);
});

describe('a draft that was not sent has the same state everywhere', () => {
  const everywhere = async (id: string) => {
    const { actions } = (await server.ok('list_actions', { limit: 200 })) as {
      actions: { draft_id: string; status: string }[];
    };
    const { status } = await server.ok('get_action', { draft_id: id });
    const approving = await server.call('confirm_action', { draft_id: id });
    const discarding = await server.ok('discard_action', { draft_id: id });
    const several = (await server.ok('discard_actions', { draft_ids: [id] }))['results'] as { status: string }[];
    const after = await server.ok('get_action', { draft_id: id });
    expect(listIds(await readPage({}))).not.toContain(id);
    return new Set([
      status,
      actions.find(({ draft_id }) => draft_id === id)?.status,
      (approving.body['details'] as { status?: string }).status,
      discarding['status'],
      several[0]?.status,
      after['status'],
    ]);
  };

  test('when somebody declined it', async () => {
    const id = await createDraft('Declined');
    await server.ok('discard_action', { draft_id: id });
    expect(await everywhere(id)).toEqual(new Set(['discarded']));
  });

  test('when nobody decided in time, before a job has noted it and afterwards', async () => {
    const id = await createDraft('Overdue');
    await database.rows(`update drafts set expires_at = now() - interval '1 minute' where id = $1`, [id]);
    expect(await everywhere(id)).toEqual(new Set(['expired']));
    const { ledger } = await server.ok('get_action', { draft_id: id });
    expect((ledger as { step: string }[]).map(({ step }) => step)).toEqual(['drafted', 'expired']);
  });
});
