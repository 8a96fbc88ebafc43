import { expect, test } from 'vitest';
import { integrationActions } from './index.ts';

const actions = integrationActions.map((action) => ({ name: `${action.source} ${action.name}`, action }));
/** Requests at any JSON service show several fields in one field of the preview. */
const typed = actions.filter(({ action }) => action.source !== 'http_json');

test('every action has its own name within its source', () => {
  expect(new Set(actions.map(({ name }) => name)).size).toBe(actions.length);
});

test.each(actions)('the action $name accepts its example, and names only its own fields', ({ action }) => {
  expect(() => action.payload.parse(action.example)).not.toThrow();
  const fields = Object.keys(action.payload.shape);
  expect(fields).toEqual(expect.arrayContaining([...Object.keys(action.example), ...action.editable]));
});

test.each(typed)('the action $name previews every field of its example', ({ action }) => {
  const payload = action.payload.parse(action.example);
  const { fields, isComplete } = action.preview(payload);
  expect(isComplete).toBe(true);
  expect(fields.length).toBeGreaterThanOrEqual(Object.keys(action.example).length);
  const shown = JSON.stringify(fields);
  for (const value of Object.values(action.example).flat())
    if (typeof value === 'string' && /[\s@-]/.test(value)) expect(shown).toContain(value.slice(0, 10));
});

test.each(actions)('the action $name has target names with one star for each unknown name', ({ action }) => {
  const { what, otherNames = '' } = action.target(action.payload.parse(action.example));
  expect(what.trim()).toBe(what);
  expect(otherNames).not.toMatch(/\*\s*\*/);
  const [first = ''] = what.split(' ');
  if (otherNames) expect(otherNames.startsWith(first)).toBe(true);
});

test.each(actions)(
  'the action $name asks the provider for the recipients when only the provider knows them',
  ({ action }) => {
    const { reachesOthers = false } = action.target(action.payload.parse(action.example));
    if (reachesOthers) expect(action.snapshot).toBeDefined();
  },
);
