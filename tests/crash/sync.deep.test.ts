import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { linkGoogle } from '../support/google.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { endLeases } from '../support/time-passes.ts';
import { buildServerSettings, startServerProcess } from '../support/server-process.ts';

const key = `cm_${'synckey'.repeat(5)}`;
const ada = 'ada@example.com';
const threads = 400;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let google: GoogleEmulator;
let settings: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  google = await startGoogleEmulator();
  google.addAccount({ email: ada, name: 'Ada' });
  for (let number = 0; number < threads; number += 1)
    google.seedMail(ada, { from: 'noah@example.com', subject: `Number ${number}`, text: `Text of ${number}.` });
  settings = {
    ...buildServerSettings(database.connectionString),
    THALAMUS_GOOGLE_BASE_URL: google.url,
    THALAMUS_GOOGLE_CLIENT_ID: google.client.id,
    THALAMUS_GOOGLE_CLIENT_SECRET: google.client.secret,
  };
});
afterAll(async () => {
  await google.close();
  await database.drop();
});

type Sync = { status: string; items_done: number; finished_at: string | null };

test('a kill during a sync loses nothing, and another process continues where it ended', async () => {
  const first = await startServerProcess(settings, key);
  await linkGoogle(first, google, { email: ada, sources: ['gmail'] });
  const readSync = async (server: typeof first): Promise<Sync> => {
    const { syncs } = await server.ok('list_syncs');
    return (syncs as Sync[])[0]!;
  };
  await first.ok('sync_integration', { source: 'gmail' });
  while ((await readSync(first)).items_done < threads / 2) await sleep(5);
  await first.kill();
  await endLeases(database.connectionString);
  const read = google.ledger.count({ path: /\/threads\/[^/]+$/ });
  expect(read).toBeLessThan(threads);

  const second = await startServerProcess(settings, key);
  try {
    while ((await readSync(second)).finished_at === null) await sleep(200);
    expect(await second.ok('list_pages', { source: 'gmail', limit: 1 })).toMatchObject({ total: threads });
    // What was stored is not read again, but for the page of the list that was broken off.
    const again = google.ledger.count({ path: /\/threads\/[^/]+$/ }) - read;
    expect(again).toBeLessThanOrEqual(threads - read + 150);
  } finally {
    await second.stop();
  }
}, 150_000);
