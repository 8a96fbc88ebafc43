import type { Tier } from './requests.ts';

/** The tiers in the order they are shown, and what each means to a person. */
export const tierWords: readonly { tier: Tier; title: string; about: string }[] = [
  { tier: 'person', title: 'Yours', about: 'For you and the agents that act for you.' },
  { tier: 'org', title: 'Workspace', about: 'For everybody in the workspace and their agents.' },
  { tier: 'brain', title: 'Brains', about: 'For everybody on a brain and below it.' },
  { tier: 'agent', title: 'Agents', about: 'For one agent alone.' },
  { tier: 'permission_set', title: 'Permission sets', about: 'For the agents that draw on a set.' },
];
