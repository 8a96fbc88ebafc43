// Rows of a calendar file for boards: the events of some days.
import type { CalendarEvent } from '#providers/reading';
import { defineAdapter, defineAdapterOperation, type AdapterRow } from '#providers/kit';
import { z } from 'zod';
import { readFile } from './file.ts';
import { readEventGroups } from './read-events.ts';

/** The address of a calendar; through an account it is that of the account. */
const ref = z.strictObject({
  url: z
    .string()
    .max(2_000)
    .refine(isCalendarAddress, 'must be an address that begins with https://, http:// or webcal://')
    .optional(),
});

function isCalendarAddress(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:', 'webcal:'].includes(new URL(text).protocol);
}

const limits = { maxBytes: 10_000_000 };
const dayMs = 24 * 60 * 60_000;
const longestText = 4_000;
const batchSize = 500;

const listEvents = defineAdapterOperation({
  name: 'ics.list_events',
  summary: 'Events between some days before and after the refresh, one row for each occurrence of a series.',
  ref,
  params: z.strictObject({
    days_back: z.number().int().min(0).max(3_650).default(0),
    days_ahead: z.number().int().min(1).max(3_650).default(90),
  }),
  async *read(reader, { params: { days_back, days_ahead }, now }) {
    const answer = await reader.own(undefined, limits);
    if (!answer) return;
    const from = now.getTime() - (now.getTime() % dayMs) - days_back * dayMs;
    const window = { from, until: from + (days_back + days_ahead) * dayMs };
    let batch: AdapterRow[] = [];
    for await (const { events } of readEventGroups(readFile(answer.text), window)) {
      batch.push(...events.filter(({ status }) => status !== 'cancelled').map(buildRow));
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  },
});

function buildRow({ id, summary, description, location, status, start, end, ...event }: CalendarEvent): AdapterRow {
  return {
    id,
    title: summary ?? '',
    start: start?.dateTime ?? start?.date ?? null,
    end: end?.dateTime ?? end?.date ?? null,
    all_day: start?.date !== undefined,
    location: location ?? null,
    status,
    organizer: event.organizer?.email ?? null,
    attendees: event.attendees.flatMap(({ email }) => email ?? []),
    description: description?.slice(0, longestText) ?? null,
    url: event.htmlLink ?? null,
  };
}

/** A calendar with an address: as anybody who has it, or that of a linked account. */
export const icsAdapter = defineAdapter({
  kind: 'ics',
  ref,
  hint: 'Such as {"url": "https://example.com/team.ics"}; {} with integration_provider.',
  findPublicAddress: ({ url }) => (typeof url === 'string' ? url.replace(/^webcal:/i, 'https:') : null),
  operations: [listEvents],
});
