/**
 * Every permission, with its meaning. Keys, sessions and tokens each have some of these; nothing else grants access.
 */
export const scopeWords = {
  'memory:read': 'Search and read memories',
  'memory:write': 'Write and change memories',
  'brains:read': 'See your brains',
  'brains:write': 'Create brains and change their settings',
  'brains:move': 'Move brains, which changes who can read them',
  'brains:delete': 'Delete brains and everything in them',
  'knowledge:write': 'Change core knowledge and skills, which every agent follows',
  'members:write': 'Invite people to brains and remove them',
  'pages:read': 'Read pages and files',
  'pages:write': 'Write pages',
  'integrations:read': 'See which integrations there are',
  'integrations:fetch': 'Read from connected accounts, such as mail and calendars',
  'syncs:write': 'Set up which accounts sync',
  'connections:read': 'See connected accounts',
  'connections:write': 'Connect accounts',
  'connections:delete': 'Disconnect accounts',
  'variables:read': 'See the names of secrets, never their values',
  'variables:write': 'Store its own secrets',
  'variables:delete': 'Delete secrets',
  'shared_variables:write': 'Create pages where people set secrets that other agents use',
  'permission_sets:write': 'Change permission sets',
  'actions:read': 'See drafts and what was sent',
  'actions:draft': 'Draft messages and changes, which wait for approval',
  'actions:confirm': 'Approve drafts',
  'keys:read': 'See keys',
  'keys:write': 'Create and revoke keys',
  'sign_in_links:create': 'Create sign-in links',
  'policy:write': 'Change the rules for approvals',
  'notifications:write': 'Change how you are notified',
  'approvers:read': 'See who can approve for you',
  'approvers:write': 'Change who can approve for you',
  'workspace:admin': 'Administer the workspace',
  'usage:read': 'See usage',
  'boards:read': 'Read boards',
  'boards:write': 'Write to boards',
  'boards:delete': 'Delete boards',
  'boards:share': 'Share boards by forms that anybody can fill in',
  'documents:delete': 'Delete documents',
  'automations:read': 'See automations',
  'automations:write': 'Write and change drafts of automations',
  'automations:activate': 'Activate automations',
  'workflows:read': 'See workflows',
  'workflows:write': 'Create and change workflows',
  'recipes:read': 'See recipes and what was installed',
  'recipes:install': 'Install recipes',
  'recipes:publish': 'Publish recipes for everybody in the workspace',
  'recipes:uninstall': 'Uninstall recipes',
  'ingest:write': 'Send texts to store',
  'connectors:read': 'See connectors',
  'connectors:write': 'Create and change connectors',
  'sessions:capture': 'Store the conversations of its sessions',
} as const;

export type Scope = keyof typeof scopeWords;

/** Their names. */
export const scopes = Object.keys(scopeWords) as [Scope, ...Scope[]]; // the table's own keys

/**
 * Scopes that no agent has by default: with these, a caller acts for its person, gives others more access, or deletes.
 */
const humanScopes: readonly Scope[] = [
  'brains:write',
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
  'boards:share',
  'documents:delete',
  'automations:activate',
  'recipes:publish',
  'recipes:uninstall',
  'connectors:write',
  'sessions:capture',
];

/** Scopes that administer a workspace: plain members do not have them, nor do their keys. */
const administering: readonly Scope[] = ['policy:write', 'workspace:admin'];

/** All scopes of a workspace's owner. */
export const ownerScopes: readonly Scope[] = [...scopes];

const memberScopes: readonly Scope[] = scopes.filter((scope) => !administering.includes(scope));

/** All scopes of this role in the workspace, which also limit the person's keys. */
export function listRoleScopes(role: 'owner' | 'admin' | 'member'): readonly Scope[] {
  return role === 'member' ? memberScopes : ownerScopes;
}

/** The scopes of an agent's key, unless a person grants more. */
export const agentScopes: readonly Scope[] = scopes.filter((scope) => !humanScopes.includes(scope));

export function isScope(text: unknown): text is Scope {
  return scopes.some((scope) => scope === text);
}
