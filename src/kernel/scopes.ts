/** Every permission there is. A key, a session and later a token hold some of these; nothing else grants anything. */
export const scopes = [
  'memory:read',
  'memory:write',
  'brains:read',
  'brains:write',
  'brains:move',
  'brains:delete',
  'knowledge:write',
  'members:write',
  'pages:read',
  'pages:write',
  'integrations:read',
  'integrations:fetch',
  'syncs:write',
  'connections:read',
  'connections:write',
  'connections:delete',
  'variables:read',
  'variables:write',
  'variables:delete',
  'shared_variables:write',
  'permission_sets:write',
  'actions:read',
  'actions:draft',
  'actions:confirm',
  'keys:read',
  'keys:write',
  'sign_in_links:create',
  'policy:write',
  'notifications:write',
  'approvers:read',
  'approvers:write',
  'workspace:admin',
  'usage:read',
  'boards:read',
  'boards:write',
  'boards:delete',
  'documents:delete',
  'automations:read',
  'automations:write',
  'automations:activate',
  'ingest:write',
  'connectors:read',
  'connectors:write',
  'sessions:capture',
] as const;

export type Scope = (typeof scopes)[number];

/**
 * What no agent has unless a person grants it by name: with these, a caller answers for its person, lets others reach more
 * than they did, or destroys.
 */
const humanScopes: readonly Scope[] = [
  'brains:move',
  'brains:delete',
  'knowledge:write',
  'members:write',
  'actions:confirm',
  'syncs:write',
  'connections:delete',
  'variables:delete',
  'shared_variables:write',
  'permission_sets:write',
  'keys:read',
  'keys:write',
  'sign_in_links:create',
  'policy:write',
  'notifications:write',
  'approvers:read',
  'approvers:write',
  'workspace:admin',
  'boards:delete',
  'documents:delete',
  'automations:activate',
  'connectors:write',
  'sessions:capture',
];

/** What administers a workspace: nothing for its plain members, nor for keys of theirs. */
const administering: readonly Scope[] = ['policy:write', 'workspace:admin'];

/** All that a workspace's owner may do. */
export const ownerScopes: readonly Scope[] = [...scopes];

const memberScopes: readonly Scope[] = scopes.filter((scope) => !administering.includes(scope));

/** All that somebody of this role may do in their workspace, and their keys at most. */
export function scopesOf(role: 'owner' | 'admin' | 'member'): readonly Scope[] {
  return role === 'member' ? memberScopes : ownerScopes;
}

/** All that a key made for an agent may do, unless a person grants it more. */
export const agentScopes: readonly Scope[] = scopes.filter((scope) => !humanScopes.includes(scope));

export function isScope(text: unknown): text is Scope {
  return scopes.some((scope) => scope === text);
}
