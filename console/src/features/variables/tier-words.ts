import type { Tier } from './requests.ts';

/** The tiers in the order they are shown, and what each means to a person. */
export const tierWords: readonly { tier: Tier; title: string; about: string }[] = [
  { tier: 'person', title: 'Personal', about: 'For you and your agents.' },
  { tier: 'org', title: 'Workspace', about: 'For everyone in the workspace and their agents.' },
  { tier: 'brain', title: 'Brains', about: 'For the members of a brain and its sub-brains.' },
  { tier: 'agent', title: 'Agents', about: 'For one agent.' },
  { tier: 'permission_set', title: 'Permission sets', about: 'For the agents assigned to a set.' },
];
