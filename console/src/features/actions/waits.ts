import type { Draft } from './requests.ts';

const minuteMs = 60_000;
const longestMinutes = 10_080;

/** How long a person lets a draft wait from now. */
const waits: readonly { minutes: number; label: string }[] = [
  { minutes: 60, label: '1 hour' },
  { minutes: 1_440, label: '1 day' },
  { minutes: 4_320, label: '3 days' },
  { minutes: longestMinutes, label: '7 days' },
];

type WaitOption = (typeof waits)[number];

/**
 * The choices that let a draft wait longer than it does. A draft waits seven days at most from when it was drafted, so
 * the longest choice may bring less than it says and is then named by that limit.
 */
export function listWaits(
  { created_at, expires_at }: Pick<Draft, 'created_at' | 'expires_at'>,
  now: number,
): WaitOption[] {
  const last = Date.parse(created_at) + longestMinutes * minuteMs;
  const expires = Date.parse(expires_at);
  const isLonger = (until: number) => until >= expires + minuteMs;
  const whole = waits.filter(({ minutes }) => isLonger(now + minutes * minuteMs) && now + minutes * minuteMs <= last);
  const isLastOpen = isLonger(last) && last >= now + ((whole.at(-1)?.minutes ?? 0) + 1) * minuteMs;
  return isLastOpen ? [...whole, { minutes: longestMinutes, label: 'As long as possible' }] : whole;
}
