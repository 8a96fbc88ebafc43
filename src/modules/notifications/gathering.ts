// Which drafts go into one mail: those that come shortly after each other, so that a batch is one.
import type { MailChoice, MailRow } from './store.ts';

/** A mail goes when nothing new has come for `quietMs`, and at the latest `longestMs` after the first that it tells. */
export type Window = { quietMs: number; longestMs: number };
export type Windows = Readonly<Record<Exclude<MailChoice, 'off'>, Window>>;

const digestMs = 15 * 60_000;
const longestQuiets = 6;
/** A job that comes a little before its time may still tell. */
const earlyMs = 500;

/** How long is gathered for each choice. */
export function buildWindows(gatherMs: number): Windows {
  return {
    each: { quietMs: gatherMs, longestMs: longestQuiets * gatherMs },
    digest: { quietMs: digestMs, longestMs: digestMs },
  };
}

/**
 * What of all that a person is to be told goes into a mail now. Each of them has a job of its own at its time, so that what
 * is left now is told later.
 */
export function selectRipe<Row extends Pick<MailRow, 'about' | 'created_at' | 'due_at'>>(
  open: readonly Row[],
  { longestMs }: Window,
  at: Date,
): Row[] {
  const isDue = ({ due_at }: Row) => due_at.getTime() - earlyMs <= at.getTime();
  const due = open.filter(isDue);
  const waiting = open.filter(({ about }) => about === 'waiting');
  const oldest = waiting.find(isDue);
  if (!oldest) return due;
  const isLongEnough = oldest.created_at.getTime() + longestMs - earlyMs <= at.getTime();
  if (!isLongEnough && !waiting.every(isDue)) return due.filter(({ about }) => about !== 'waiting');
  return [...new Set([...waiting, ...due])];
}

/** For so long what is to be told is tried, from when it came on. */
const triedMs = 24 * 60 * 60 * 1000;

/** Whether it was tried for long enough: no server has taken a mail of it for a day. */
export function isGivenUp({ attempts, created_at }: Pick<MailRow, 'attempts' | 'created_at'>, at: Date): boolean {
  return attempts > 0 && created_at.getTime() + triedMs <= at.getTime();
}

/** When a mail that no server took is tried again: later each time. */
export function computeNextMailAttempt(attempts: number, at: Date): Date {
  return new Date(at.getTime() + Math.min(2_000 * 2 ** attempts, 10 * 60_000));
}
