import { afterAll, beforeAll, expect, test } from 'vitest';
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

type Page = { count: number; total: number | null; drafts: { draft_id: string }[]; next_cursor: string | null };

async function draft(subject: string, batch_id?: string): Promise<string> {
  const input = { to: ['noah@example.com'], subject, body: 'Which day works?' };
  const answer = await server.ok('act_on_integration', {
    install_id: installId,
    action_name: 'send_email',
    input,
    ...(batch_id && { batch_id }),
  });
  return String(answer['draft_id']);
}

async function page(input: Record<string, unknown>): Promise<Page> {
  return (await server.ok('list_pending_actions', input)) as Page;
}

const idsOf = ({ drafts }: Page) => drafts.map(({ draft_id }) => draft_id);

test('pages tell every draft once, newest first, also those of one moment and when some are decided meanwhile', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 7; number += 1) ids.push(await draft(`Paged ${number}`));
  // The microseconds are more than a clock of this server tells, and three drafts share one moment.
  await database.rows(`update drafts set created_at = '2026-01-02 03:04:05.678901Z' where id = any($1)`, [
    ids.slice(0, 3),
  ]);
  const first = await page({ limit: 2 });
  expect(first).toMatchObject({ count: 2, total: 7 });
  const seen = idsOf(first);
  await server.ok('discard_action', { draft_id: seen[1] });
  for (let cursor = first.next_cursor; cursor;) {
    const next = await page({ limit: 2, cursor });
    expect(next.total).toBeNull();
    seen.push(...idsOf(next));
    cursor = next.next_cursor;
  }
  expect(seen).toEqual([...ids.slice(3).toReversed(), ...ids.slice(0, 3).toSorted().toReversed()]);
  expect((await page({})).total).toBe(6);
});

test('the drafts of one batch are listed by themselves', async () => {
  const batch_id = crypto.randomUUID();
  const ids = [await draft('Together 1', batch_id), await draft('Together 2', batch_id)];
  await draft('Alone');
  const found = await page({ batch_id });
  expect(found).toMatchObject({ total: 2, next_cursor: null });
  expect(idsOf(found)).toEqual(ids.toReversed());
});

test('a cursor that was not answered here is refused', async () => {
  for (const cursor of ['draft:', 'seal:1', crypto.randomUUID(), `draft:${crypto.randomUUID()}`]) {
    const { status, body } = await server.call('list_pending_actions', { cursor });
    expect([status, body] as const).toMatchObject([422, { code: 'invalid_input' }]);
  }
});
