import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMicrosoftEmulator, type MicrosoftEmulator } from '#emulators/microsoft/index';
import type { FilledRequest } from '#providers/http';
import type { Reader } from '#providers/reading';
import { outlookCalendar } from './read-calendar.ts';

const ada = 'ada@example.com';
const dayMs = 24 * 60 * 60_000;
const start = Date.parse('2026-03-02T09:00:00Z');

let microsoft: MicrosoftEmulator;
let today = 0;
const toDay = (days: number) => new Date(start + days * dayMs);
beforeAll(async () => {
  microsoft = await startMicrosoftEmulator({ now: () => toDay(today), accessTokenSeconds: 1_000 * 24 * 60 * 60 });
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
});
afterAll(() => microsoft.close());

function seed(subject: string, days: number) {
  const at = (hours: number) => ({
    dateTime: toDay(days + hours / 24)
      .toISOString()
      .slice(0, 19),
    timeZone: 'UTC',
  });
  return microsoft.seedEvent(ada, { subject, start: at(0), end: at(1) });
}

/** The items that were read on a day, the number of complete readings, and the next position. */
async function read(day: number, cursor: unknown) {
  today = day;
  const { accessToken } = microsoft.issueTokens(ada, ['Calendars.Read']);
  const ask = async ({ url, method, headers }: FilledRequest) => {
    const address = url.replace('https://graph.microsoft.com', microsoft.url);
    const answer = await fetch(address, { method, headers: { ...headers, authorization: `Bearer ${accessToken}` } });
    return { data: await answer.json(), nextUrl: null, version: null, isUnchanged: false };
  };
  const reader = { account: ada, ask } as unknown as Reader; // only `ask` is used to read a calendar
  const since = { cursor, from: toDay(day - 90), now: toDay(day), isSkippable: () => false, listed: async () => [] };
  const batches = [];
  for await (const batch of outlookCalendar.changes?.(reader, since, {}) ?? []) batches.push(batch);
  const titles = batches.flatMap(({ pages }) => pages.map(({ title }) => title));
  return { titles, wholes: batches.flatMap(({ whole }) => whole ?? []), cursor: batches.at(-1)?.cursor };
}

test('a far event appears once it is less than a year away, and a missing event is deleted', async () => {
  seed('Next month', 30);
  seed('In two years', 500);
  const first = await read(0, null);
  expect(first.titles).toEqual(['Next month']);
  const later = await read(170, first.cursor);
  expect(later).toMatchObject({ titles: [], wholes: [] });

  const renewed = await read(181, later.cursor);
  expect(renewed.titles).toEqual(['In two years']);
  expect(renewed.wholes).toMatchObject([
    { from: toDay(91), until: toDay(181 + 366), isFirst: true, isLast: false },
    { isFirst: false, isLast: true },
  ]);
  expect(await read(182, renewed.cursor)).toMatchObject({ titles: [], wholes: [] });
});

test('a cursor without a start time restarts', async () => {
  const { cursor } = await read(200, null);
  const { begun_at: _begun, ...old } = cursor as Record<string, unknown>; // in the stored form
  expect((await read(210, old)).titles).toContain('In two years');
});
