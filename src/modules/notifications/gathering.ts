// Determines which drafts go into one mail: drafts that follow each other shortly are mailed together.
import type { MailChoice, MailRow } from './store/draft-mails.ts';

/** A mail is sent when no new draft arrived for `quietMs`, and at the latest `longestMs` after its first draft. */
export type Window = { quietMs: number; longestMs: number };
export type Windows = Readonly<Record<Exclude<MailChoice, 'off'>, Window>>;

const digestMs = 15 * 60_000;
const longestQuiets = 6;
/** A job that arrives slightly early may still send. */
const earlyMs = 500;

/** The gathering times of each choice. */
export function buildWindows(gatherMs: number): Windows {
  return {
    each: { quietMs: gatherMs, longestMs: longestQuiets * gatherMs },
    digest: { quietMs: digestMs, longestMs: digestMs },
  };
}

/**
 * The notices that go into a mail now. Each notice has its own job at its own time, so notices that are left out now
 * are sent later.
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

/** How long a notice is tried, from the time it was created. */
const triedMs = 24 * 60 * 60 * 1000;

/** Whether no server has accepted a mail with this notice for a day. */
export function isGivenUp({ attempts, created_at }: Pick<MailRow, 'attempts' | 'created_at'>, at: Date): boolean {
  return attempts > 0 && created_at.getTime() + triedMs <= at.getTime();
}

/** When a mail that no server accepted is retried: later each time. */
export function computeNextMailAttempt(attempts: number, at: Date): Date {
  return new Date(at.getTime() + Math.min(2_000 * 2 ** attempts, 10 * 60_000));
}
