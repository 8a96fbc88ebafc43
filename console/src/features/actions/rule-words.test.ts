import { expect, test } from 'vitest';
import { readCaller, describeRule } from './rule-words.ts';

test('a rule that blocks keys says that it applies to all agents, and one that allows them names only keys', () => {
  expect(describeRule({ effect: 'block', callers: ['key'] })).toBe('Everything requested by agents and scripts');
  expect(describeRule({ effect: 'block', callers: ['agents'] })).toBe('Everything requested by agents and scripts');
  expect(describeRule({ effect: 'allow', callers: ['key'] })).toBe(
    'Everything requested by keys only, and no other agents',
  );
  expect(readCaller({ effect: 'require_human', callers: ['key'] })).toBe('agents');
  expect(readCaller({ effect: 'allow' })).toBe('');
});
