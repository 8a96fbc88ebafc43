import type { Rule } from './rule.ts';
import { scopesOf, type Scope } from './scopes.ts';

/** Roles on a brain, weakest first. The creator of a brain is its owner. */
export const brainRoles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type BrainRole = (typeof brainRoles)[number];

/** Whether a role is at least another one. */
export function isAtLeast(role: BrainRole, needed: BrainRole): boolean {
  return brainRoles.indexOf(role) >= brainRoles.indexOf(needed);
}

/** Whether a caller may do all that its person may: one who signed in, or a key that was made to stand for them. No agent's is. */
export function standsForPerson({ kind, reach, role, scopes }: Caller): boolean {
  return kind === 'session' || (reach === 'owner' && scopesOf(role).every((scope) => scopes.has(scope)));
}

/** Whoever asks. Every face turns a credential into one of these and passes it on unchanged. */
export type Caller = {
  kind: 'session' | 'key' | 'telegram' | 'system';
  /** Id of the session, key or linked phone; stable for as long as the credential lives. */
  id: string;
  /** What people call it: the person's name, or the key's label. */
  label: string;
  workspaceId: string;
  personId: string;
  role: 'owner' | 'admin' | 'member';
  scopes: ReadonlySet<Scope>;
  /** Where it writes unless told otherwise. */
  homeBrainId: string;
  /** `owner`: reads what its person may read. `brain`: reads the home brain and its ancestors only. */
  reach: 'owner' | 'brain';
  /** Rules of the key itself: they narrow what the workspace's policy lets it do, and widen nothing. */
  ownRules: readonly Rule[];
  /** Whether a person who signed in is looking at the screen this call comes from. */
  isHumanSurface: boolean;
};
