import { callerKinds, type CallerKindName } from './caller-kinds.ts';
import type { Grant } from './grants.ts';
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
  return callerKinds[kind].hasAllOfPerson || (reach === 'owner' && scopesOf(role).every((scope) => scopes.has(scope)));
}

/** A person at the console, or at their phone. */
export function isPerson({ kind }: Caller): boolean {
  return callerKinds[kind].is === 'person';
}

/** Something that a person let in, and that may have variables and a permission set of its own. */
export function isAgent({ kind }: Caller): boolean {
  return callerKinds[kind].is === 'agent';
}

/** Whoever asks. Every face turns a credential into one of these and passes it on unchanged. */
export type Caller = {
  kind: CallerKindName;
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
  /** The only toolsets it may use; absent: all. */
  toolsets?: readonly string[];
  /** The address that its token is for; absent: every address of the server. */
  audience?: string;
  /** All that it may call; absent: whatever its scopes allow. */
  grants?: readonly Grant[];
  /**
   * The run in which its code calls. `dry_run` suppresses and `verify` refuses what would leave the server. `slot` is what it runs for; one
   * that `isRetry` does nothing again that an earlier run for the same did.
   */
  run?: { id: string; mode: RunMode; slot: string; isRetry: boolean };
};

/** How an automation runs: as it is meant, or so that nothing outside is changed. */
export const runModes = ['live', 'dry_run', 'verify'] as const;
export type RunMode = (typeof runModes)[number];
