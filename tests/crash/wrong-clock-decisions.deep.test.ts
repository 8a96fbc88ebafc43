// Server processes whose clocks are an hour ahead and an hour behind: decisions and pauses go by the clock of the database.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import { act, createActionDraft, waitForOutcome } from '../support/acting.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import {
  buildServerSettings,
  startServerProcess,
  withWrongClock,
  type ServerProcess,
} from '../support/server-process.ts';
import { connectBot } from '../support/telegram.ts';
import { passTime } from '../support/time-passes.ts';
import { startLinearUpstream } from './matrix/linear.ts';

const key = `cm_${'hourskey'.repeat(5)}`;
const hour = 60 * 60;

const linear = await startLinearUpstream();
let telegram: TelegramEmulator;
let connectionString: string;
let dropDatabase: () => Promise<void>;
let database: Awaited<ReturnType<typeof openAsOwner>>;
let ahead: ServerProcess;
let behind: ServerProcess;

beforeAll(async () => {
  ({ connectionString, drop: dropDatabase } = await createTestDatabase());
  database = await openAsOwner(connectionString);
  telegram = await startTelegramEmulator();
  const settings = {
    ...buildServerSettings(connectionString),
    ...linear.settings,
    THALAMUS_TELEGRAM_BASE_URL: telegram.url,
  };
  const start = (seconds: number) => startServerProcess({ ...settings, ...withWrongClock(seconds) }, key);
  ahead = await start(hour);
  behind = await start(-hour);
  await linear.link(ahead);
});
afterAll(async () => {
  await Promise.all([ahead.kill(), behind.kill()]);
  await telegram.close();
  await linear.close();
  await database.close();
  await dropDatabase();
});

async function buildIssueRequest(marker: string) {
  const [createIssue] = linear.subjects;
  if (!createIssue) throw new Error('issues can be created');
  return createIssue.request(marker);
}

/** A column of a draft, as the database compares it with now. */
async function readSecondsUntil(column: 'expires_at' | 'settled_at', id: string): Promise<number> {
  const [row] = await database.rows(`select extract(epoch from ${column} - now()) as s from drafts where id = $1`, [
    id,
  ]);
  return Number(row?.['s']);
}

test('a draft expires by the clock of the database, whichever process drafts and decides it', async () => {
  const open = await createActionDraft(ahead, await buildIssueRequest('drafted ahead'));
  expect(Math.abs((await readSecondsUntil('expires_at', open)) - hour)).toBeLessThan(60);
  await database.rows(`update drafts set expires_at = now() + interval '5 minutes' where id = $1`, [open]);
  await ahead.ok('confirm_action', { draft_id: open });
  expect(await waitForOutcome(ahead, open)).toMatchObject({ status: 'confirmed' });

  const late = await createActionDraft(behind, await buildIssueRequest('drafted behind'));
  await database.rows(`update drafts set expires_at = now() - interval '1 second' where id = $1`, [late]);
  const refused = await behind.call('confirm_action', { draft_id: late });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('expired') } });
  expect(linear.subjects[0]?.visible('drafted behind')).toBe(0);
});

test('the undo window follows the clock of the database, whichever process sends and undoes', async () => {
  const ids = [];
  for (const marker of ['undone in time', 'undone too late']) {
    const { draft_id } = await act(ahead, await buildIssueRequest(marker));
    const { undo } = await waitForOutcome(behind, draft_id); // by the clock of `ahead` every window has closed
    expect(Math.abs(await readSecondsUntil('settled_at', draft_id))).toBeLessThan(60);
    ids.push({ id: draft_id, until: String(undo?.until) });
  }
  const [inTime, tooLate] = ids;
  const expectEnd = async (seconds: number, each: { id: string; until: string } | undefined) =>
    database.rows(
      `update drafts set settled_at = settled_at - ($2::timestamptz - now()) + make_interval(secs => $3) where id = $1`,
      [each?.id, each?.until, seconds],
    );
  await expectEnd(30, inTime);
  await ahead.ok('undo_action', { draft_id: inTime?.id });
  await expectEnd(-1, tooLate);
  expect((await behind.call('undo_action', { draft_id: tooLate?.id })).status).toBe(409);
  expect(['undone in time', 'undone too late'].map((title) => linear.subjects[0]?.visible(title))).toEqual([0, 1]);
});

test('a bot pauses by the clock of the database after an error, and no process skips or extends the pause', async () => {
  const bot = telegram.addBot({ username: 'pausing_bot' });
  await connectBot(ahead, bot);
  await ahead.ok('link_telegram');
  const failure = { kind: 'status', status: 429, retryAfter: 60 } as const;
  telegram.failures.next({ account: bot.username, path: /getUpdates/ }, failure, 1_000);
  const pauses = async () =>
    database.rows('select status, failures, extract(epoch from next_at - now())::float as s from telegram_bots');
  for (const count of [1, 2]) {
    await vi.waitFor(
      async () => {
        const [row] = await pauses();
        expect(row).toMatchObject({ status: 'failing', failures: count });
        expect(Number(row?.['s'])).toBeGreaterThan(0);
        expect(Number(row?.['s'])).toBeLessThan(5 * 60);
      },
      { timeout: 40_000, interval: 200 },
    );
    if (count === 1) await passTime(connectionString, 5 * 60);
  }
  telegram.failures.clear();
  await passTime(connectionString, 5 * 60);
  await vi.waitFor(async () => expect((await pauses())[0]).toMatchObject({ status: 'listening' }), {
    timeout: 40_000,
    interval: 200,
  });
});
