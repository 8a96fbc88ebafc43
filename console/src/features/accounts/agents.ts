import type { Rule } from '../actions/policy-requests.ts';
import type { ConnectedClient, Key } from './requests.ts';
import type { Scope } from './scope-words.ts';

/** An agent or script: with a key, or connected by OAuth. */
export type Agent = {
  id: string;
  kind: 'key' | 'client';
  name: string;
  /** Distinguishes agents with the same name: the start of the key, or where the client runs. */
  mark: string;
  /** Who connected it, if that is known. */
  person: string | null;
  brainId: string;
  reach: 'owner' | 'brain';
  scopes: readonly Scope[];
  rules: readonly Rule[];
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  /** Why it lost its access, if nobody revoked it. */
  endReason: string | null;
  pausedAt: string | null;
  /** Permissions that an agent connected today would not have unless a person granted them. */
  beyondDefault: readonly Scope[];
  /** Until when the previous key still works after the last rotation. */
  previousUntil: string | null;
  /** People who joined by an invitation of this key. */
  joined: readonly { id: string; name: string; email: string }[];
  /** Networks it called from, newest first. */
  places: readonly { place: string; firstUsedAt: string }[];
};

export type AgentState = 'new' | 'active' | 'paused' | 'expired' | 'revoked';

/** All agents: active ones first, then by last call. */
export function listAgents(keys: readonly Key[], clients: readonly ConnectedClient[], now: Date): Agent[] {
  return [...keys.map(toKeyAgent), ...clients.map(toClientAgent)].toSorted(
    (one, other) => rankAgent(one, now) - rankAgent(other, now) || compareByLastUse(one, other),
  );
}

function toKeyAgent(key: Key): Agent {
  return {
    id: key.key_id,
    kind: 'key',
    name: key.label,
    mark: key.prefix,
    person: null,
    brainId: key.home_brain_id,
    reach: key.reach,
    scopes: key.scopes,
    rules: key.rules,
    createdAt: key.created_at,
    lastUsedAt: key.last_used_at,
    expiresAt: key.expires_at,
    revokedAt: key.revoked_at,
    endReason: null,
    pausedAt: key.paused_at,
    beyondDefault: key.beyond_default,
    previousUntil: key.previous_until,
    joined: key.joined.map(({ person_id: id, name, email }) => ({ id, name, email })),
    places: toAgentPlaces(key),
  };
}

function toClientAgent(client: ConnectedClient): Agent {
  return {
    id: client.id,
    kind: 'client',
    name: client.client_name,
    mark: client.client_host ?? 'Program on a computer',
    person: client.person.name,
    brainId: client.home_brain_id,
    reach: client.reach,
    scopes: client.scopes,
    rules: client.rules,
    createdAt: client.connected_at,
    lastUsedAt: client.last_used_at,
    expiresAt: client.expires_at,
    revokedAt: client.ended_at,
    endReason: client.end_reason,
    pausedAt: client.paused_at,
    beyondDefault: client.beyond_default,
    previousUntil: null,
    joined: [],
    places: toAgentPlaces(client),
  };
}

function toAgentPlaces({ places }: Pick<Key, 'places'>): Agent['places'] {
  return places.map(({ place, first_used_at }) => ({ place, firstUsedAt: first_used_at }));
}

export function computeAgentState({ revokedAt, expiresAt, pausedAt, lastUsedAt }: Agent, now: Date): AgentState {
  if (revokedAt) return 'revoked';
  if (expiresAt && Date.parse(expiresAt) <= now.getTime()) return 'expired';
  if (pausedAt) return 'paused';
  return lastUsedAt ? 'active' : 'new';
}

/** Whether it is neither revoked nor expired. */
export function isInForce(agent: Agent, now: Date): boolean {
  return !['revoked', 'expired'].includes(computeAgentState(agent, now));
}

/** Whether it has a person's authority: it approves drafts and creates keys. */
export function hasFullAccess({ scopes }: Pick<Agent, 'scopes'>): boolean {
  return scopes.includes('actions:confirm');
}

function rankAgent(agent: Agent, now: Date): number {
  return isInForce(agent, now) ? 0 : 1;
}

function compareByLastUse(one: Agent, other: Agent): number {
  return (other.lastUsedAt ?? other.createdAt).localeCompare(one.lastUsedAt ?? one.createdAt);
}
