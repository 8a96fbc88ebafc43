import { getCallerKind, type CallerKind, type CallerKindName } from './caller-kinds.ts';
import type { Grant } from './grants.ts';
import type { Rule } from './rule.ts';
import { listRoleScopes, type Scope } from './scopes.ts';

/** Roles on a brain, weakest first. The creator of a brain is its owner. */
export const brainRoles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type BrainRole = (typeof brainRoles)[number];

/** Whether a role is at least as high as another one. */
export function isAtLeast(role: BrainRole, needed: BrainRole): boolean {
  return brainRoles.indexOf(role) >= brainRoles.indexOf(needed);
}

/**
 * Whether a caller may do everything that its person may: a signed-in person, or a key with full access. No agent's key
 * has it.
 */
export function canDoAllOfPerson({ kind, reach, role, scopes }: Caller): boolean {
  return (
    getCallerKind(kind).hasAllOfPerson ||
    (reach === 'owner' && listRoleScopes(role).every((scope) => scopes.has(scope)))
  );
}

/**
 * Whether a caller is its person, or the person's own script, whose key may make keys. Every other program is an agent, for which some acts
 * of people are closed whatever its scopes: it stores values at its own tier alone, and lets no draft wait longer.
 */
export function mayActAsPerson({ kind, reach, scopes }: Caller): boolean {
  const { is, canBeOwnScript } = getCallerKind(kind);
  return is === 'person' || (canBeOwnScript && reach === 'owner' && scopes.has('keys:write'));
}

/** A person at the console, or at their phone. */
export function isPerson({ kind }: Caller): boolean {
  return getCallerKind(kind).is === 'person';
}

/** Something that a person let in, and that may have variables and a permission set of its own. */
export function isAgent({ kind }: Caller): boolean {
  return getCallerKind(kind).is === 'agent';
}

/** A browser that signed in: a person's, or one for which a key opened a session. */
export function isInBrowser({ kind }: Caller): boolean {
  return getCallerKind(kind).isInBrowser;
}

/** A person who signed in to the console and looks at it: no key, and nothing that a key opened. */
export function isAtConsole(caller: Caller): boolean {
  return isInBrowser(caller) && caller.isHumanSurface;
}

/** Whether its kind may do everything that its person may, whatever scopes it has. */
export function hasAllOfPerson({ kind }: Caller): boolean {
  return getCallerKind(kind).hasAllOfPerson;
}

/** Whether its client can ask its person for scopes that it lacks. */
export function canAskForScopes({ kind }: Caller): boolean {
  return getCallerKind(kind).canAskForScopes;
}

/** Whether it may be given a link that signs somebody else in. */
export function mayGetJoinLinks({ kind }: Caller): boolean {
  return getCallerKind(kind).mayGetJoinLinks;
}

/** The id of a caller that is such a row; null: its id names something else. */
export function findOwnId({ kind, id }: Caller, row: CallerKind['idNames']): string | null {
  return getCallerKind(kind).idNames === row ? id : null;
}

/** Only `createCaller` makes a caller: an object with the same fields has not this one, so that the type refuses it. */
declare const isMade: unique symbol;

/** The caller of an operation. Every face turns a credential into a caller and passes it on unchanged. */
export type Caller = {
  readonly [isMade]: true;
  kind: CallerKindName;
  /** Id of the session, key or linked phone; stable for as long as the credential lives. */
  id: string;
  /** The name that people see: the person's name, or the key's label. */
  label: string;
  workspaceId: string;
  personId: string;
  role: 'owner' | 'admin' | 'member';
  scopes: ReadonlySet<Scope>;
  /** The brain where it writes by default. */
  homeBrainId: string;
  /** `owner`: reads what its person may read. `brain`: reads the home brain and its ancestors only. */
  reach: 'owner' | 'brain';
  /** Rules of the key itself: they narrow what the workspace's policy lets it do, and widen nothing. */
  ownRules: readonly Rule[];
  /** Whether a signed-in person is looking at the screen that makes this call. */
  isHumanSurface: boolean;
  /** The only toolsets it may use; absent: all. */
  toolsets?: readonly string[];
  /** The address that its token is for; absent: every address of the server. */
  audience?: string;
  /** The operations that it may call; absent: every operation that its scopes allow. */
  grants?: readonly Grant[];
  /**
   * The run in which its code calls. `dry_run` suppresses and `verify` refuses what would leave the server. `slot` is what it runs for; one
   * that `isRetry` does nothing again that an earlier run for the same did. `chain`: the automations whose runs led to it,
   * and its own as the last one. `starter`: the kind of caller that started it by hand; rules about it hold, too. `isTrial`: nobody ever
   * activated its automation.
   */
  run?: {
    id: string;
    mode: RunMode;
    slot: string;
    isRetry: boolean;
    chain: readonly string[];
    starter?: CallerKindName | undefined;
    isTrial: boolean;
  };
};

type Defaults = Pick<Caller, 'reach' | 'ownRules' | 'isHumanSurface'>;

/** A caller's fields. Default: it reads what its person may read, has no rules of its own, and is no human surface. */
export type CallerFields = Omit<Caller, typeof isMade | keyof Defaults> & Partial<Defaults>;

/** Makes a caller. A kind behind which no person can look at a screen is never a human surface. */
export function createCaller({
  reach = 'owner',
  ownRules = [],
  isHumanSurface = false,
  ...fields
}: CallerFields): Caller {
  const canBe = getCallerKind(fields.kind).canBeHumanSurface;
  return { ...fields, reach, ownRules, isHumanSurface: canBe && isHumanSurface } as Caller; // `isMade` exists in types alone
}

/** How an automation runs: normally, or without any effect outside. */
export const runModes = ['live', 'dry_run', 'verify'] as const;
export type RunMode = (typeof runModes)[number];
