import { expect, test } from 'vitest';
import { isGivenUp, computeNextMailAttempt, selectRipe, buildWindows } from './gathering.ts';

const { each, digest } = buildWindows(20_000);
const buildTime = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);
const buildRow = (about: 'waiting' | 'ambiguous', created: number, due: number) => ({
  about,
  created_at: buildTime(created),
  due_at: buildTime(due),
});

test('a single draft is mailed after the delay, not before', () => {
  const alone = [buildRow('waiting', 0, 20)];
  expect(selectRipe(alone, each, buildTime(19))).toEqual([]);
  expect(selectRipe(alone, each, buildTime(20))).toEqual(alone);
});

test('the mail waits while more drafts arrive, so that all are in one mail', () => {
  const batch = Array.from({ length: 50 }, (_, second) => buildRow('waiting', second, second + 20));
  const come = (until: number) => batch.filter(({ created_at }) => created_at <= buildTime(until));
  for (let second = 0; second < 69; second += 1) expect(selectRipe(come(second), each, buildTime(second))).toEqual([]);
  expect(selectRipe(batch, each, buildTime(69))).toHaveLength(50);
});

test('a batch that never ends is mailed after a while', () => {
  const stream = Array.from({ length: 200 }, (_, second) => buildRow('waiting', second, second + 20));
  const come = stream.filter(({ created_at }) => created_at <= buildTime(120));
  expect(selectRipe(come, each, buildTime(120))).toHaveLength(121);
});

test('a digest is one mail in 15 minutes', () => {
  const rows = [0, 300, 899].map((second) => buildRow('waiting', second, second + 900));
  expect(selectRipe(rows, digest, buildTime(899))).toEqual([]);
  expect(selectRipe(rows, digest, buildTime(900))).toHaveLength(3);
});

test('an ambiguous draft is not mailed before its time, and delays nothing', () => {
  const rows = [buildRow('waiting', 0, 20), buildRow('ambiguous', 0, 150)];
  expect(selectRipe(rows, each, buildTime(20))).toEqual([rows[0]]);
  expect(selectRipe(rows.slice(1), each, buildTime(149))).toEqual([]);
  expect(selectRipe(rows.slice(1), each, buildTime(150))).toEqual([rows[1]]);
});

test('a mail that every server refuses is retried with growing pauses, in the end every ten minutes', () => {
  expect(
    [0, 1, 5, 20].map(
      (attempts) => (computeNextMailAttempt(attempts, buildTime(0)).getTime() - buildTime(0).getTime()) / 1000,
    ),
  ).toEqual([2, 4, 64, 600]);
});

test('a mail that every server refused for a day is dropped, and one that was never tried is not', () => {
  const day = 24 * 60 * 60;
  const tried = { attempts: 150, created_at: buildTime(0) };
  expect([day - 1, day].map((second) => isGivenUp(tried, buildTime(second)))).toEqual([false, true]);
  expect(isGivenUp({ attempts: 0, created_at: buildTime(0) }, buildTime(2 * day))).toBe(false);
});
