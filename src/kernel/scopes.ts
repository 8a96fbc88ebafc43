/** Every permission there is. A key, a session and later a token hold some of these; nothing else grants anything. */
export const scopes = [
  'memory:read',
  'memory:write',
  'brains:read',
  'brains:write',
  'brains:delete',
  'members:write',
  'pages:read',
  'integrations:read',
  'integrations:fetch',
  'connections:read',
  'connections:write',
  'variables:read',
  'variables:write',
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
] as const;

export type Scope = (typeof scopes)[number];

/** What may never be given to an agent, because it would let the agent answer for its person. */
const humanScopes: readonly Scope[] = [
  'brains:delete',
  'members:write',
  'actions:confirm',
  'keys:read',
  'keys:write',
  'sign_in_links:create',
  'policy:write',
  'notifications:write',
  'approvers:read',
  'approvers:write',
  'workspace:admin',
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

/** All that a key made for an agent may do. */
export const agentScopes: readonly Scope[] = scopes.filter((scope) => !humanScopes.includes(scope));
