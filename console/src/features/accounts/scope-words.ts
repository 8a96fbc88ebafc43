import type { Me } from './requests.ts';

export type Scope = Me['scopes'][number];

/** What each permission allows, as a verb and its object. */
const scopeWords: Readonly<Record<Scope, string>> = {
  'memory:read': 'Read memories',
  'memory:write': 'Store and correct memories',
  'brains:read': 'Read brains',
  'brains:write': 'Create and edit brains',
  'brains:move': 'Move brains in the tree',
  'brains:delete': 'Delete brains',
  'knowledge:write': 'Change core knowledge and skills',
  'members:write': 'Invite and remove people',
  'pages:read': 'Read pages',
  'pages:write': 'Write pages',
  'integrations:read': 'See integrations',
  'integrations:fetch': 'Fetch from connected accounts',
  'syncs:write': 'Set up syncs',
  'connections:read': 'See connected accounts',
  'connections:write': 'Connect accounts',
  'connections:delete': 'Disconnect accounts',
  'variables:read': 'See the names of secrets',
  'variables:write': 'Store secrets of its own',
  'variables:delete': 'Delete secrets',
  'shared_variables:write': 'Change shared secrets',
  'permission_sets:write': 'Change permission sets',
  'actions:read': 'See drafts',
  'actions:draft': 'Draft actions',
  'actions:confirm': 'Approve drafts',
  'keys:read': 'See keys and sessions',
  'keys:write': 'Create and revoke keys',
  'sign_in_links:create': 'Create sign-in links',
  'policy:write': 'Change rules',
  'notifications:write': 'Change notifications',
  'approvers:read': 'See delegates',
  'approvers:write': 'Add and remove delegates',
  'workspace:admin': 'Manage the workspace',
  'usage:read': 'See usage',
  'boards:read': 'Read boards',
  'boards:write': 'Create boards and add rows',
  'boards:delete': 'Delete boards',
  'documents:delete': 'Delete documents',
  'automations:read': 'See automations',
  'automations:write': 'Write automations',
  'automations:activate': 'Activate automations',
  'ingest:write': 'Send texts to be routed',
  'connectors:read': 'See connectors',
  'connectors:write': 'Create and change connectors',
  'sessions:capture': 'Keep conversations',
};

/** Permissions in words, in the order of the list above. */
export function wordsOf(scopes: readonly string[]): string[] {
  return Object.entries(scopeWords).flatMap(([scope, words]) => (scopes.includes(scope) ? [words] : []));
}
