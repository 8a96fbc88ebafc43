// The triggers of automations, and the next time of their schedules.
import { setImmediate } from 'node:timers/promises';
import { cronSchema, findNextCronTime, generateCronTimes } from '#platform/dates';
import { z } from 'zod';

export const triggerKinds = ['cron', 'page_ingested', 'board_change', 'webhook', 'manual'] as const;
export type TriggerKind = (typeof triggerKinds)[number];

/** One trigger. */
export const trigger = z.discriminatedUnion('kind', [
  cronSchema.safeExtend({ kind: z.literal('cron') }),
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
    kind: z.literal('webhook').describe("A POST to the automation's own address: see rotate_automation_webhook."),
  }),
  z.strictObject({ kind: z.literal('manual') }),
]);
export type Trigger = z.output<typeof trigger>;

/** Whether an event can start it: an event during a run is lost when it is skipped. */
function hasEvents(triggers: readonly Trigger[]): boolean {
  return triggers.some(({ kind }) => kind !== 'cron' && kind !== 'manual');
}

/** The default overlap of automations: schedules skip a time, and events wait. */
export function getUsualOverlap(triggers: readonly Trigger[]): 'skip' | 'queue' {
  return hasEvents(triggers) ? 'queue' : 'skip';
}

/** The next due time of the schedules after a moment. Null: there is none. */
export function nextTime(triggers: readonly Trigger[], after: Date): Date | null {
  const times = triggers.flatMap((each) => (each.kind === 'cron' ? (findNextCronTime(each, after) ?? []) : []));
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
  schedule: { cron: string; tz: string },
  { from, until, most }: Span,
): Promise<number> {
  let count = 0;
  for (const at of generateCronTimes(schedule, from)) {
    if (at > until) break;
    count += 1;
    if (count % countedAtOnce === 0) await setImmediate(); // other callers run in between
    if (count >= most)
      return Math.round((count * (until.getTime() - from.getTime())) / (at.getTime() - from.getTime()));
  }
  return count;
}
