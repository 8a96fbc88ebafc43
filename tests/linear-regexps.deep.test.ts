import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { isLinear } from '../scripts/linear-regexp.ts';

const path = new URL('../scripts/lint-rules/regexps.json', import.meta.url);
const { linear } = z.object({ linear: z.array(z.string()) }).parse(JSON.parse(readFileSync(path, 'utf8')));

test('recheck tells a regular expression that takes the square of a text', () => {
  expect(isLinear('/=+$/')).toBe(false);
  expect(isLinear('/^=+$/')).toBe(true);
});

test(
  'every regular expression that is kept as linear is so',
  () => expect(linear.filter((each) => !isLinear(each))).toEqual([]),
  900_000,
);
