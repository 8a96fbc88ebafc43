// The contract about edits, lists and acknowledgements of drafts (BI-043 to 045, 050, 054).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { signInOwner, type SignedIn } from '../../../tests/support/colleague.ts';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let google: GoogleEmulator;
let database: OwnerDatabase;
let person: SignedIn;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await linkGoogle(server, google);
  database = await openAsOwner(server.connectionString);
  person = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await close();
});
beforeEach(() => google.ledger.clear());

const mail = { to: ['noah@example.com'], subject: 'Lunch', body: 'At noon?' };
const event = { summary: 'Lunch', start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
const file = { name: 'plan.txt', content: 'The plan' };

let number = 0;
async function createDraft(source: string, action_name: string, input: Record<string, unknown>): Promise<string> {
  const [title] = Object.keys(input).filter((field) => ['subject', 'summary', 'name'].includes(field));
  const own = { ...input, ...(title && { [title]: `${input[title]} ${(number += 1)}` }) };
  return String((await server.ok('act_on_integration', { source, action_name, input: own }))['draft_id']);
}

describe('an edit', () => {
  test.for([
    ['gmail', 'send_email', mail, ['to', 'cc', 'bcc', 'subject', 'body']],
    [
      'calendar',
      'create_event',
      event,
      ['summary', 'description', 'location', 'start', 'end', 'attendees', 'send_updates'],
    ],
    ['drive', 'create_file', file, ['name', 'content']],
  ] as const)('of %s %s may change its listed fields only', async ([source, action, input, fields]) => {
    const draft_id = await createDraft(source, action, input);
    const before = await server.ok('get_action', { draft_id });
    expect((before['editable'] as string[]).toSorted()).toEqual([...fields].toSorted());
    const others = [
      'calendar_id',
      'parent_id',
      'folder_id',
      'thread_id',
      'mime_type',
      'attachments',
      'from',
      'reply_to',
    ];
    for (const field of others) {
      for (const operation of ['confirm_action', 'edit_action']) {
        const { status } = await server.call(operation, { draft_id, edits: { [field]: 'x' } });
        expect(status, `${operation} ${field}`).toBe(422);
      }
    }
    expect(await server.ok('get_action', { draft_id })).toMatchObject({
      status: 'pending',
      payload: before['payload'],
    });
    expect(google.ledger.sent()).toEqual([]);
  });
});

describe('list_pending_actions', () => {
  test('returns fifty by default and a hundred at most, of one source on request, and sends nothing', async () => {
    for (let each = 0; each < 52; each += 1) await createDraft('gmail', 'send_email', mail);
    const own = await createDraft('calendar', 'create_event', event);
    expect(await server.ok('list_pending_actions')).toMatchObject({ count: 50 });
    const hundred = await server.ok('list_pending_actions', { limit: 100 });
    expect(hundred['count']).toBe(hundred['total']);
    expect(hundred['count']).toBeGreaterThan(52);
    const calendars = (await server.ok('list_pending_actions', { source: 'calendar' }))['drafts'] as Row[];
    expect(new Set(calendars.map(({ source }) => source))).toEqual(new Set(['calendar']));
    expect(calendars.map(({ draft_id }) => draft_id)).toContain(own);
    for (const limit of [0, 101, 1.5]) expect((await server.call('list_pending_actions', { limit })).status).toBe(422);
    expect(google.ledger.sent()).toEqual([]);
  });
});

type Row = { draft_id: string; source: string };

describe('an acknowledgement', () => {
  const acks = (draft_id: string) =>
    database.rows('select decision, person_id from inbox_acks where draft_id = $1', [draft_id]);

  test('is stored when a person approves or declines in the inbox', async () => {
    const [approved, declined] = [
      await createDraft('gmail', 'send_email', mail),
      await createDraft('gmail', 'send_email', mail),
    ];
    await person.ok('confirm_action', { draft_id: approved });
    await person.ok('discard_action', { draft_id: declined });
    expect(await acks(approved)).toEqual([{ decision: 'approved', person_id: person.personId }]);
    expect(await acks(declined)).toEqual([{ decision: 'declined', person_id: person.personId }]);
  });

  test('is stored for each of several drafts, and not for decisions of a key', async () => {
    const several = [await createDraft('gmail', 'send_email', mail), await createDraft('gmail', 'send_email', mail)];
    await person.ok('confirm_actions', { draft_ids: several });
    for (const id of several) expect(await acks(id)).toMatchObject([{ decision: 'approved' }]);
    const byKey = await createDraft('gmail', 'send_email', mail);
    await server.ok('confirm_action', { draft_id: byKey });
    expect(await acks(byKey)).toEqual([]);
  });
});
