import { getCallerKind, type CallerKind, type CallerKindName } from './caller-kinds.ts';
import type { Grant } from './grants.ts';
import type { Rule } from './rule.ts';
import type { RunBudget } from './run-budget.ts';
import { listRoleScopes, type Scope } from './scopes.ts';

/** Roles on a brain, weakest first. The creator of a brain is its owner. */
export const brainRoles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type BrainRole = (typeof brainRoles)[number];

/** Whether a role is at least as high as another one. */
export function isAtLeast(role: BrainRole, needed: BrainRole): boolean {
  return brainRoles.indexOf(role) >= brainRoles.indexOf(needed);
}

/**
 * Whether a caller may do everything that its person may: a signed-in person, or a key with full access. An agent's key
 * never has full access.
 */
export function canDoAllOfPerson({ kind, reach, role, scopes }: Caller): boolean {
  return (
    getCallerKind(kind).hasAllOfPerson ||
    (reach === 'owner' && listRoleScopes(role).every((scope) => scopes.has(scope)))
  );
}

/**
 * Whether a caller is its person, or the person's own script, whose key may create keys. Every other program is an
 * agent. Agents are refused some actions regardless of their scopes: they store values only at their own tier, and
 * cannot extend a draft.
 */
export function mayActAsPerson({ kind, reach, scopes }: Caller): boolean {
  const { is, canBeOwnScript } = getCallerKind(kind);
  return is === 'person' || (canBeOwnScript && reach === 'owner' && scopes.has('keys:write'));
}

/** A person at the console, or at their phone. */
export function isPerson({ kind }: Caller): boolean {
  return getCallerKind(kind).is === 'person';
}

/** A program that a person admitted, which may have its own variables and permission set. */
export function isAgent({ kind }: Caller): boolean {
  return getCallerKind(kind).is === 'agent';
}

/** A browser session: a person's, or one that a key opened. */
export function isInBrowser({ kind }: Caller): boolean {
  return getCallerKind(kind).isInBrowser;
}

/** A person who signed in to the console and looks at it; not a key, nor a session that a key opened. */
export function isAtConsole(caller: Caller): boolean {
  return isInBrowser(caller) && caller.isHumanSurface;
}

/** Whether callers of its kind may do everything that their person may, regardless of scopes. */
export function hasAllOfPerson({ kind }: Caller): boolean {
  return getCallerKind(kind).hasAllOfPerson;
}

/** Whether its client can ask its person for scopes that it lacks. */
export function canAskForScopes({ kind }: Caller): boolean {
  return getCallerKind(kind).canAskForScopes;
}

/** Whether it may request a link that signs in somebody else. */
export function mayGetJoinLinks({ kind }: Caller): boolean {
  return getCallerKind(kind).mayGetJoinLinks;
}

/** The caller's id, if it names a row of this kind; else null. */
export function findOwnId({ kind, id }: Caller, row: CallerKind['idNames']): string | null {
  return getCallerKind(kind).idNames === row ? id : null;
}

/** Only `createCaller` makes a caller: a plain object with the same fields lacks this one, so the type refuses it. */
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
  /** Rules of the key itself: they restrict what the workspace's policy allows, and never extend it. */
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
   * The run whose code makes the call. `dry_run` suppresses and `verify` refuses everything that would leave the
   * server. `slot`: the time or event that the run is for; a run with `isRetry` does not repeat what an earlier run for
   * the same slot did. `chain`: the automations whose runs led to this one, its own last. `starter`: the kind of caller
   * that started it by hand; rules about that kind apply, too. `isTrial`: the automation was never activated. `budget`:
   * what its questions to models may use.
   */
  run?: {
    id: string;
    mode: RunMode;
    slot: string;
    isRetry: boolean;
    chain: readonly string[];
    starter?: CallerKindName | undefined;
    isTrial: boolean;
    budget: RunBudget;
  };
};

type Defaults = Pick<Caller, 'reach' | 'ownRules' | 'isHumanSurface'>;

/**
 * A caller's fields. By default it reads what its person may read, has no rules of its own, and is not a human surface.
 */
export type CallerFields = Omit<Caller, typeof isMade | keyof Defaults> & Partial<Defaults>;

/** Creates a caller. It is never a human surface when its kind has no screen that a person could look at. */
export function createCaller({
  reach = 'owner',
  ownRules = [],
  isHumanSurface = false,
  ...fields
}: CallerFields): Caller {
  const canBe = getCallerKind(fields.kind).canBeHumanSurface;
  return { ...fields, reach, ownRules, isHumanSurface: canBe && isHumanSurface } as Caller; // `isMade` exists only in the type
}

/** How an automation runs: normally, or without any effect outside. */
export const runModes = ['live', 'dry_run', 'verify'] as const;
export type RunMode = (typeof runModes)[number];
