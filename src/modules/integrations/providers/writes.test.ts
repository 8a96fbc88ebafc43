import { expect, test } from 'vitest';
import { integrationActions } from './index.ts';

const actions = integrationActions.map((action) => ({ name: `${action.source} ${action.name}`, action }));
/** Requests at any JSON service show several fields as one. */
const typed = actions.filter(({ action }) => action.source !== 'http_json');

test('every action has a name of its own at its source', () => {
  expect(new Set(actions.map(({ name }) => name)).size).toBe(actions.length);
});

test.each(actions)('$name takes its example, and names only fields that it has', ({ action }) => {
  expect(() => action.payload.parse(action.example)).not.toThrow();
  const fields = Object.keys(action.payload.shape);
  expect(fields).toEqual(expect.arrayContaining([...Object.keys(action.example), ...action.editable]));
});

test.each(typed)('$name shows everything that its example has', ({ action }) => {
  const payload = action.payload.parse(action.example);
  const { fields, isComplete } = action.preview(payload);
  expect(isComplete).toBe(true);
  expect(fields.length).toBeGreaterThanOrEqual(Object.keys(action.example).length);
  const shown = JSON.stringify(fields);
  for (const value of Object.values(action.example).flat())
    if (typeof value === 'string' && /[\s@-]/.test(value)) expect(shown).toContain(value.slice(0, 10));
});

test.each(actions)('$name is known by names with one star in the place of each that is not known', ({ action }) => {
  const { what, otherNames = '' } = action.target(action.payload.parse(action.example));
  expect(what.trim()).toBe(what);
  expect(otherNames).not.toMatch(/\*\s*\*/);
  const [first = ''] = what.split(' ');
  if (otherNames) expect(otherNames.startsWith(first)).toBe(true);
});

test.each(actions)('$name asks the provider whom it reaches, when only the provider knows', ({ action }) => {
  const { reachesOthers = false } = action.target(action.payload.parse(action.example));
  if (reachesOthers) expect(action.known).toBeDefined();
});
