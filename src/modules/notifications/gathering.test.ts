import { expect, test } from 'vitest';
import { isGivenUp, nextAttempt, ripe, windowsOf } from './gathering.ts';

const { each, digest } = windowsOf(20_000);
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);
const row = (about: 'waiting' | 'ambiguous', created: number, due: number) => ({
  about,
  created_at: at(created),
  due_at: at(due),
});

test('a single draft is mailed when its time has come, and not before', () => {
  const alone = [row('waiting', 0, 20)];
  expect(ripe(alone, each, at(19))).toEqual([]);
  expect(ripe(alone, each, at(20))).toEqual(alone);
});

test('the mail waits while more drafts come, so that all are in one mail', () => {
  const batch = Array.from({ length: 50 }, (_, second) => row('waiting', second, second + 20));
  const come = (until: number) => batch.filter(({ created_at }) => created_at <= at(until));
  for (let second = 0; second < 69; second += 1) expect(ripe(come(second), each, at(second))).toEqual([]);
  expect(ripe(batch, each, at(69))).toHaveLength(50);
});

test('a batch that never ends is mailed after a while', () => {
  const stream = Array.from({ length: 200 }, (_, second) => row('waiting', second, second + 20));
  const come = stream.filter(({ created_at }) => created_at <= at(120));
  expect(ripe(come, each, at(120))).toHaveLength(121);
});

test('a digest is one mail in 15 minutes', () => {
  const rows = [0, 300, 899].map((second) => row('waiting', second, second + 900));
  expect(ripe(rows, digest, at(899))).toEqual([]);
  expect(ripe(rows, digest, at(900))).toHaveLength(3);
});

test('an ambiguous draft is not mailed before its time, and delays nothing', () => {
  const rows = [row('waiting', 0, 20), row('ambiguous', 0, 150)];
  expect(ripe(rows, each, at(20))).toEqual([rows[0]]);
  expect(ripe(rows.slice(1), each, at(149))).toEqual([]);
  expect(ripe(rows.slice(1), each, at(150))).toEqual([rows[1]]);
});

test('a mail that every server refuses is retried later each time, and every ten minutes in the end', () => {
  expect([0, 1, 5, 20].map((attempts) => (nextAttempt(attempts, at(0)).getTime() - at(0).getTime()) / 1000)).toEqual([
    2, 4, 64, 600,
  ]);
});

test('a mail that every server refuses is given up after a day, and one that was never tried is not', () => {
  const day = 24 * 60 * 60;
  const tried = { attempts: 150, created_at: at(0) };
  expect([day - 1, day].map((second) => isGivenUp(tried, at(second)))).toEqual([false, true]);
  expect(isGivenUp({ attempts: 0, created_at: at(0) }, at(2 * day))).toBe(false);
});
