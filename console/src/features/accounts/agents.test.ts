import { expect, test } from 'vitest';
import { listAgents, hasFullAccess, isInForce, computeAgentState } from './agents.ts';
import type { Key } from './requests.ts';

const now = new Date('2026-11-25T10:00:00Z');

function buildKey(label: string, more: Partial<Key> = {}): Key {
  return {
    key_id: label,
    label,
    prefix: 'cm_abc…',
    scopes: ['memory:read'],
    reach: 'owner',
    rules: [],
    home_brain_id: 'brain',
    created_at: '2026-11-01T10:00:00Z',
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    paused_at: null,
    previous_until: null,
    beyond_default: [],
    made_by_key: null,
    joined: [],
    places: [],
    ...more,
  };
}

test('active agents come first, and of these the one that called last', () => {
  const keys = [
    buildKey('revoked', { revoked_at: '2026-11-24T10:00:00Z', last_used_at: '2026-11-24T09:00:00Z' }),
    buildKey('quiet', { last_used_at: '2026-11-02T10:00:00Z' }),
    buildKey('busy', { last_used_at: '2026-11-25T09:59:00Z' }),
    buildKey('expired', { expires_at: '2026-11-25T09:00:00Z' }),
  ];
  expect(listAgents(keys, [], now).map(({ name }) => name)).toEqual(['busy', 'quiet', 'revoked', 'expired']);
});

test('an agent is expired at the moment its key expires', () => {
  const [agent] = listAgents([buildKey('on time', { expires_at: now.toISOString() })], [], now);
  expect(agent && computeAgentState(agent, now)).toBe('expired');
});

test('a paused agent is listed among the active ones, and marked', () => {
  const [agent] = listAgents([buildKey('paused', { paused_at: '2026-11-25T09:00:00Z' })], [], now);
  expect(agent && computeAgentState(agent, now)).toBe('paused');
  expect(agent && isInForce(agent, now)).toBe(true);
});

test('an agent that may approve has full access', () => {
  const [agent] = listAgents([buildKey('owner', { scopes: ['memory:read', 'actions:confirm'] })], [], now);
  expect(agent && hasFullAccess(agent)).toBe(true);
});
