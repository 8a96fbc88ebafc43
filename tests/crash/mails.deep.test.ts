// A process is killed while it mails somebody what waits for them: a lost mail is better than two.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { buildGoogleSettings, linkGoogle } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { startSmtp, type SmtpServer } from '../support/smtp.ts';
import { waitForDueJobs, endLeases, passTimeAndWait, passTime } from '../support/time-passes.ts';

const gatherSeconds = 20;
const key = `cm_${'mailed'.repeat(6)}`;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let owner: OwnerDatabase;
let google: GoogleEmulator;
let smtp: SmtpServer;
let settings: Record<string, string>;
let [first, second, third]: (ServerProcess | undefined)[] = [];
let installId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await openAsOwner(database.connectionString);
  google = await startGoogleEmulator();
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  smtp = await startSmtp();
  settings = {
    ...buildServerSettings(database.connectionString),
    THALAMUS_MAIL_URL: smtp.url,
    THALAMUS_MAIL_GATHER_SECONDS: String(gatherSeconds),
    ...buildGoogleSettings(google),
  };
  first = await startServerProcess(settings, key);
  installId = (await linkGoogle(first, google)).connectionId;
  await first.ok('set_notifications', { mail: 'each' });
});
afterAll(async () => {
  await Promise.all([second?.stop(), third?.stop()]);
  await smtp.close();
  await google.close();
  await owner.close();
  await database.drop();
});

async function createMailDraft(server: ServerProcess | undefined, subject: string): Promise<string> {
  const input = { to: ['noah@example.com'], subject, body: 'Hello.' };
  const answer = await server?.ok('act_on_integration', { install_id: installId, action_name: 'send_email', input });
  return String(answer?.['draft_id']);
}
const readDraftMails = async (id: string) =>
  owner.rows('select claimed_at is not null as claimed, sent_at from draft_mails where draft_id = $1', [id]);

/** Queues mails about drafts, and makes them due. */
async function makeMailsDue(): Promise<void> {
  await waitForDueJobs(database.connectionString);
  await passTime(database.connectionString, gatherSeconds + 1);
}

test('a mail whose process is killed during its delivery is not sent again', async () => {
  smtp.behave('hold');
  const id = await createMailDraft(first, 'In between');
  await makeMailsDue();
  await vi.waitFor(() => expect(smtp.begun()).toBe(1), 15_000);
  await first?.kill();
  smtp.behave('take');
  second = await startServerProcess(settings, key);
  await endLeases(database.connectionString);
  await passTimeAndWait(database.connectionString, 0);
  expect(smtp.begun()).toBe(1);
  expect(await readDraftMails(id)).toEqual([{ claimed: true, sent_at: null }]);
  expect(await second.ok('get_action', { draft_id: id })).toMatchObject({
    status: 'pending',
    notify_targets: ['inbox'],
  });
}, 60_000);

test('a mail whose process is killed before it claims the mail is sent by another process', async () => {
  const id = await createMailDraft(second, 'Not begun');
  await waitForDueJobs(database.connectionString);
  await second?.kill();
  await makeMailsDue();
  second = await startServerProcess(settings, key);
  await vi.waitFor(() => expect(smtp.taken.filter(({ text }) => text.includes('Not begun'))).toHaveLength(1), 15_000);
  await vi.waitFor(async () => expect((await readDraftMails(id))[0]?.['sent_at']).not.toBeNull(), 5_000);
}, 60_000);

test('two processes send one mail about the drafts of both', async () => {
  third = await startServerProcess(settings, key);
  smtp.taken.length = 0;
  await Promise.all(Array.from({ length: 20 }, (_, nth) => createMailDraft(nth % 2 ? second : third, `Both ${nth}`)));
  await makeMailsDue();
  await vi.waitFor(() => expect(smtp.taken).toHaveLength(1), 15_000);
  await passTimeAndWait(database.connectionString, 0);
  expect(smtp.taken.map(({ subject }) => subject)).toEqual(['20 drafts wait for your approval']);
}, 60_000);
