import { expect, test } from 'vitest';
import { createCaller, findOwnId, isAtConsole, type CallerFields } from './caller.ts';
import { callerKindNames, getCallerKind, isConfined } from './caller-kinds.ts';

const fields: Omit<CallerFields, 'kind'> = {
  id: 'caller-1',
  label: 'Ada',
  workspaceId: 'workspace-1',
  personId: 'person-1',
  role: 'owner',
  scopes: new Set(),
  homeBrainId: 'brain-1',
};

test('a caller without a person at a screen is never a human surface, whatever it claims', () => {
  const surfaces = callerKindNames.filter(
    (kind) => createCaller({ ...fields, kind, isHumanSurface: true }).isHumanSurface,
  );
  expect(surfaces).toEqual(['session', 'telegram']);
});

test('only a session with a human surface is a person at the console', () => {
  const signedIn = callerKindNames.filter((kind) =>
    isAtConsole(createCaller({ ...fields, kind, isHumanSurface: true })),
  );
  expect(signedIn).toEqual(['session']);
  expect(isAtConsole(createCaller({ ...fields, kind: 'session' }))).toBe(false);
});

test('the id of a caller is read only as the row that it names', () => {
  expect(findOwnId(createCaller({ ...fields, kind: 'key' }), 'key')).toBe('caller-1');
  expect(findOwnId(createCaller({ ...fields, kind: 'oauth' }), 'key')).toBeNull();
});

test('no agent has all rights of its person, and only a key may sign somebody else in', () => {
  const agents = callerKindNames.filter((kind) => getCallerKind(kind).is === 'agent');
  expect(agents.filter((kind) => getCallerKind(kind).hasAllOfPerson)).toEqual([]);
  expect(agents.filter((kind) => getCallerKind(kind).mayGetJoinLinks)).toEqual(['key']);
});

test('a webhook token may call only ingest', () => {
  expect(isConfined('webhook', 'ingest')).toBe(false);
  expect(isConfined('webhook', 'search_memory')).toBe(true);
  expect(callerKindNames.filter((kind) => isConfined(kind))).toEqual(['webhook']);
});
