// Splits a calendar file (RFC 5545) into events, so that a broken event affects no other.
import { AppError } from '#kernel/errors';
import ICAL from 'ical.js';
import { z } from 'zod';
import { parseZone, findKnownZone, type Zone } from './zones.ts';

/** One line: its name, its parameters, the type of its values, and the values (RFC 7265). */
export type Line = { name: string; params: Record<string, unknown>; form: string; values: unknown[] };

/** A split file. `events` are their texts; `zones` are the time zones that the file itself defines, by name. */
export type CalendarFile = { name: string | null; zoneName: string | null; zones: Map<string, Zone>; events: string[] };

const mostEvents = 20_000;
const longestEvent = 500_000;
const lines = z.tuple(
  [z.string(), z.array(z.tuple([z.string(), z.record(z.string(), z.unknown()), z.string()], z.unknown()))],
  z.unknown(),
);

/**
 * Throws `upstream_failed` for a file that is not a calendar, or is incomplete: missing events would count as deleted.
 */
export function readFile(text: string): CalendarFile {
  const rows = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r\n|\n|\r/);
  if (!isLine(rows[0], 'BEGIN:VCALENDAR'))
    throw createBrokenError('The address does not return a calendar (RFC 5545).');
  if (!isLine(rows.at(-1), 'END:VCALENDAR')) throw createBrokenError('The calendar breaks off before its end.');
  const { events, zones } = splitBlocks(rows);
  if (events.length > mostEvents) throw createBrokenError(`The calendar has more than ${mostEvents} events.`);
  return {
    name: findValue(rows, 'X-WR-CALNAME'),
    zoneName: findValue(rows, 'X-WR-TIMEZONE'),
    zones: new Map(zones.flatMap((block) => readZone(block)).filter(([name]) => findKnownZone(name) === null)),
    events,
  };
}

/** The lines of an event. Throws when they cannot be read. */
export function parseLines(event: string): Line[] {
  const [, properties] = lines.parse(ICAL.parse(event));
  return properties.map(([name, params, form, ...values]) => ({ name, params, form, values }));
}

function splitBlocks(rows: readonly string[]): { events: string[]; zones: string[] } {
  const blocks: Record<'VEVENT' | 'VTIMEZONE', string[]> = { VEVENT: [], VTIMEZONE: [] };
  let kind: keyof typeof blocks | null = null;
  let from = 0;
  for (const [at, row] of rows.entries()) {
    const begun = /^BEGIN:(VEVENT|VTIMEZONE)\s*$/i.exec(row)?.[1]?.toUpperCase() as keyof typeof blocks | undefined; // jCal has no other form
    if (begun || (kind && isLine(row, 'END:VCALENDAR'))) {
      if (kind) throw createBrokenError('The calendar is not well formed: an event begins or ends inside another.');
      [kind, from] = [begun ?? null, at];
    }
    if (!kind || !isLine(row, `END:${kind}`)) continue;
    blocks[kind].push(rows.slice(from, at + 1).join('\r\n'));
    kind = null;
  }
  if (kind) throw createBrokenError('The calendar is not well formed: an event has no end.');
  return { events: blocks.VEVENT, zones: blocks.VTIMEZONE };
}

/** A zone with an unreadable definition is looked up by its name only. */
function readZone(block: string): [string, Zone][] {
  try {
    const described = block.length <= longestEvent ? parseZone(block) : null;
    return described ? [[described.name, described.zone]] : [];
  } catch {
    return [];
  }
}

/** Whether an event is small enough to read. */
export function isReadable(event: string): boolean {
  return event.length <= longestEvent;
}

function isLine(row: string | undefined, wanted: string): boolean {
  return row?.trim().toUpperCase() === wanted;
}

/** A line about the calendar itself. */
function findValue(rows: readonly string[], name: string): string | null {
  const row = rows.slice(0, 100).find((each) => each.toUpperCase().startsWith(name));
  return (
    row
      ?.slice(row.indexOf(':') + 1)
      .replaceAll(/\\([,;\\])/g, '$1')
      .trim()
      .slice(0, 200) || null
  );
}

function createBrokenError(message: string): AppError {
  return new AppError('upstream_failed', `${message} Nothing was taken from it.`, { errorCategory: 'bad_response' });
}
