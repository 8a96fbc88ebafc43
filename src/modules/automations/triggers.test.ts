import { CronExpressionParser } from 'cron-parser';
import { expect, test } from 'vitest';
import { selectByDepth, isDeep } from '../../../tests/support/depth.ts';
import { nextTime, trigger } from './triggers.ts';

const expressions = [
  '0 9 * * 1',
  '0 9 * * 1-5',
  '*/15 * * * *',
  '0 0 1 * *',
  '30 2 * * *',
  '30 1 * * *',
  '0 3 * * 0',
  '15 14 1 * *',
  '0 22 * * 1-5',
  '5 4 * * 0',
  '0 0 * * *',
  '0 12 * * 3',
  '45 23 28-31 * *',
  '0 */6 * * *',
  '0 0 28 2 *',
  '10 10 10 10 *',
  '0 8-18/2 * * *',
  '59 1 * 3,11 0',
  '0 2 * 3 0',
  '1 0 1 1 *',
];
const zones = [
  'UTC',
  'America/New_York',
  'Europe/Paris',
  'Europe/London',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Auckland',
  'Asia/Tokyo',
  'America/St_Johns',
];
const from = new Date('2026-01-01T00:00:00Z');
const until = new Date('2028-01-01T00:00:00Z');
/** The most times compared per schedule, spread over both years. */
const most = 200;

/** Whether a clock change is near. */
function isAtChange(zone: string, at: Date): boolean {
  const offset = (time: number) =>
    new Date(time).toLocaleString('sv', { timeZone: zone, timeZoneName: 'longOffset' }).split(' ').at(-1);
  return offset(at.getTime() - 4 * 3_600_000) !== offset(at.getTime() + 4 * 3_600_000);
}

/** The result of the second library. Null: it gives up. */
function computeWithSecondLibrary(cron: string, tz: string, after: Date): Date | null {
  try {
    return CronExpressionParser.parse(cron, { currentDate: after, tz }).next().toDate();
  } catch {
    return null;
  }
}

test(
  'schedules in ten zones over two years, 200 in the deep run, have the times of a second library',
  { timeout: 120_000 },
  () => {
    let compared = 0;
    const missed: string[] = [];
    for (const cron of selectByDepth(expressions, expressions.slice(0, 4)))
      for (const tz of zones) {
        const stepMs = /[*]\/|\/2/.test(cron) ? 5 * 24 * 3_600_000 : 0;
        let at = from;
        for (let count = 0; count < most && at < until; count += 1) {
          const own = nextTime([{ kind: 'cron', cron, tz }], at);
          if (!own || own > until) break;
          const other = computeWithSecondLibrary(cron, tz, at);
          if (!other) {
            missed.push(`${cron} ${tz}`);
            break;
          }
          // For a time that a clock change skips, one library returns the next moment, the other a moment within the
          // hour.
          const isSkipped = own < other && other.getTime() - own.getTime() < 3_600_000 && isAtChange(tz, own);
          if (!isSkipped) expect([cron, tz, own.toISOString()]).toEqual([cron, tz, other.toISOString()]);
          compared += 1;
          at = new Date(Math.max(own.getTime(), other.getTime()) + stepMs);
        }
      }
    expect(compared).toBeGreaterThan(isDeep ? 10_000 : 1_000);
    expect(missed.length, missed.join()).toBeLessThan(3);
  },
);

test('a time that a clock change skips comes once that day, and a repeated time comes once', () => {
  const next = (cron: string, after: string) =>
    nextTime([{ kind: 'cron', cron, tz: 'America/New_York' }], new Date(after))?.toISOString();
  const forward = next('30 2 * * *', '2026-03-08T05:00:00Z') ?? '';
  expect(forward.slice(0, 10)).toBe('2026-03-08');
  expect(next('30 2 * * *', forward)).toBe('2026-03-09T06:30:00.000Z');
  const back = next('30 1 * * *', '2026-11-01T04:00:00Z');
  expect(back).toBe('2026-11-01T05:30:00.000Z');
  expect(next('30 1 * * *', back ?? '')).toBe('2026-11-02T06:30:00.000Z');
});

test('the earliest of several schedules counts, and without a schedule there is no time', () => {
  const at = new Date('2026-05-01T00:00:00Z');
  const daily = { kind: 'cron' as const, cron: '0 9 * * *', tz: 'UTC' };
  const hourly = { kind: 'cron' as const, cron: '30 * * * *', tz: 'UTC' };
  expect(nextTime([daily, hourly], at)).toEqual(new Date('2026-05-01T00:30:00Z'));
  expect(nextTime([{ kind: 'manual' }], at)).toBeNull();
});

test.for(['', '* * * *', '61 * * * *', '0 0 30 2 *', 'every monday', '* * * * * *'])(
  'the text "%s" is not a schedule',
  (cron) => {
    expect(trigger.safeParse({ kind: 'cron', cron }).success).toBe(false);
  },
);

test('an unknown time zone is refused', () => {
  expect(trigger.safeParse({ kind: 'cron', cron: '0 9 * * 1', tz: 'Mars/Olympus' }).success).toBe(false);
});
