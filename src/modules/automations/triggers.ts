// The triggers of automations, and the next time of a schedule.
import { setImmediate } from 'node:timers/promises';
import { Cron } from 'croner';
import { z } from 'zod';

export const triggerKinds = ['cron', 'page_ingested', 'board_change', 'webhook', 'manual'] as const;
export type TriggerKind = (typeof triggerKinds)[number];

const cron = z
  .strictObject({
    kind: z.literal('cron'),
    cron: z.string().trim().min(1).max(200).describe('Five fields, such as 0 9 * * 1.'),
    tz: z.string().min(1).max(60).default('UTC').refine(isZone, 'must be an IANA time zone, such as America/New_York'),
  })
  .refine(({ cron, tz }) => isSchedule(cron, tz), {
    path: ['cron'],
    error: 'must be a cron expression of five fields that comes true, such as 0 9 * * 1',
  });

/** One trigger. `tz` is an IANA time zone: 9 o'clock stays 9 o'clock when clocks change. */
export const trigger = z.discriminatedUnion('kind', [
  cron,
  z.strictObject({
    kind: z.literal('page_ingested'),
    brain_id: z.uuid().optional().describe('Only pages of this brain.'),
    source: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .describe('Only pages of this source, such as gmail, or gmail:ada@example.com.'),
  }),
  z.strictObject({
    kind: z.literal('board_change'),
    board_id: z.uuid().optional().describe('Only changes of this board.'),
  }),
  z.strictObject({
    kind: z.literal('webhook').describe('A POST to an address of its own: see rotate_automation_webhook.'),
  }),
  z.strictObject({ kind: z.literal('manual') }),
]);
export type Trigger = z.output<typeof trigger>;

/** Whether something that happens can start it: what happens while it runs is lost when it is skipped. */
function hasEvents(triggers: readonly Trigger[]): boolean {
  return triggers.some(({ kind }) => kind !== 'cron' && kind !== 'manual');
}

/** The overlap of automations that name none: schedules skip a time, and events wait. */
export function getUsualOverlap(triggers: readonly Trigger[]): 'skip' | 'queue' {
  return hasEvents(triggers) ? 'queue' : 'skip';
}

/** The next due time of the schedules after a moment. Null: there is none. */
export function nextTime(triggers: readonly Trigger[], after: Date): Date | null {
  const times = triggers.flatMap((each) =>
    each.kind === 'cron' ? (computeNextScheduleTime(each.cron, each.tz, after) ?? []) : [],
  );
  return times.length ? new Date(Math.min(...times.map(Number))) : null;
}

const mostCounted = 2_000;
const countedAtOnce = 100;

/**
 * How often the schedules are due between two moments. Frequent ones are estimated from their first times, 2,000 of all
 * schedules together: each takes a tenth of a millisecond.
 */
export async function countTimesBetween(triggers: readonly Trigger[], from: Date, until: Date): Promise<number> {
  const schedules = triggers.filter((each) => each.kind === 'cron');
  let sum = 0;
  for (const each of schedules)
    sum += await countScheduleTimes(each, { from, until, most: Math.floor(mostCounted / schedules.length) });
  return sum;
}

type Span = { from: Date; until: Date; most: number };

async function countScheduleTimes(
  { cron: expression, tz: timezone }: { cron: string; tz: string },
  { from, until, most }: Span,
): Promise<number> {
  const schedule = new Cron(expression, { timezone, paused: true, mode: '5-part' });
  let [at, count]: [Date | null, number] = [schedule.nextRun(from), 0];
  for (; at && at <= until; at = schedule.nextRun(at)) {
    count += 1;
    if (count % countedAtOnce === 0) await setImmediate(); // other callers come between
    if (count < most) continue;
    return Math.round((count * (until.getTime() - from.getTime())) / (at.getTime() - from.getTime()));
  }
  return count;
}

function computeNextScheduleTime(expression: string, timezone: string, after: Date): Date | null {
  return new Cron(expression, { timezone, paused: true, mode: '5-part' }).nextRun(after);
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function isSchedule(expression: string, zone: string): boolean {
  try {
    return !isZone(zone) || computeNextScheduleTime(expression, zone, new Date(0)) !== null;
  } catch {
    return false;
  }
}
