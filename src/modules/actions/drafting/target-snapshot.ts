// What the provider said about a draft's target when it was drafted: whom the draft reaches, what the target is called there, and what
// the draft would overwrite. When that changes before the draft is sent, the draft is stale.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Action, Known, Preview } from '#kernel/action';
import { AppError } from '#kernel/errors';
import type { Connected } from '#kernel/module';
import { canonicalJson } from '../canonical.ts';
import { reach, describeError, type GateDeps } from '../gate-deps.ts';
import type { DraftRow } from '../store/drafts.ts';

/** Drafting waits so long for a provider to say what is there; without that the worst is thought of it. */
const readsWithinMs = 5_000;

/** What was found out; of what would be overwritten the hashes, by names. */
export type TargetSnapshot = Pick<Known, 'names' | 'shown' | 'about' | 'standing'> & {
  people: { label: string; addresses: string[] }[] | null;
  overwrites: Record<string, string>;
  /** Why nothing was found out; null: it was. */
  missing: string | null;
};

/** An effect that may be drafted, and through which account. */
export type Looked = { action: Action; payload: Record<string, unknown>; account: string } & Connected;

/** Whether the provider is asked about an effect before it is drafted. */
export function isAsked({ known }: Action, payload: Record<string, unknown>): boolean {
  return known !== undefined && (known.isAsked?.(payload) ?? true);
}

/**
 * What the provider knows of an effect, within a short time. Not to be told it is no fault: the draft says so. Throws what
 * `isForGood` when what the effect is about is surely not there.
 */
export async function takeSnapshot(deps: GateDeps, looked: Looked): Promise<TargetSnapshot | null> {
  const { action, payload, account } = looked;
  if (!isAsked(action, payload)) return null;
  try {
    const connection = deps.connect(looked, AbortSignal.timeout(Math.min(readsWithinMs, deps.times.timeoutMs)));
    return await targetOf(action, connection, payload, account);
  } catch (error) {
    if (isForGood(error)) throw error;
    const { message } = describeError(deps, looked, error);
    deps.log.info({ err: error, draft_id: looked.id }, 'what a draft would touch could not be looked up');
    return notLookedUp(message);
  }
}

/** The provider was reached, and what is meant is not there, or is not clear: to send it could but fail. */
export function isForGood(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'not_found' || error.code === 'invalid_input');
}

/** Why nothing is known of it. */
export function notLookedUp(missing: string): TargetSnapshot {
  return { names: [], people: null, shown: [], overwrites: {}, missing };
}

/** Whether nothing of what is there is known, so that all that is said of it is for everybody. */
export function foundNothing(target: TargetSnapshot | null): boolean {
  return target === null || target.missing !== null;
}

/** What was found out, or that it was not, as people read it. */
export function snapshotFields(target: TargetSnapshot | null): Preview['fields'] {
  if (!target) return [];
  const { shown, people, missing } = target;
  const reached = (people ?? []).map(({ label, addresses }) => ({ label, text: addresses.join(', ') }));
  return [...shown, ...reached, ...(missing ? [unknown(missing)] : [])].filter(({ text }) => text !== '');
}

/**
 * What it would touch now; null when nothing was asked about it, or could be found out before or now. Throws when what was known
 * is not to be known again.
 */
export async function snapshotAgain(deps: GateDeps, draft: DraftRow, action: Action): Promise<TargetSnapshot | null> {
  const { target: before, payload, account } = draft;
  if (!before || !isAsked(action, payload)) return null;
  if (before.missing === null) return targetOf(action, reach(deps, draft), payload, account);
  const now = await takeSnapshot(deps, { ...draft, action });
  return now?.missing === null ? now : null;
}

/** Whether what is known now can say more than what was known when it was judged. */
export function knowsMore(before: TargetSnapshot, now: TargetSnapshot): boolean {
  return before.missing !== null || (before.people === null && now.people !== null);
}

/** Whether what it would touch is no longer what it was. What was not known, and what an edit added, was not looked at before. */
export function hasMoved(before: TargetSnapshot, now: TargetSnapshot): boolean {
  if (before.missing !== null) return false;
  const isCalledOtherwise = before.names.length > 0 && !isDeepStrictEqual(before.names, now.names);
  const reachesOthers = before.people !== null && !isDeepStrictEqual(before.people, now.people);
  const { overwrites } = before;
  const isChanged = Object.keys(overwrites).some(
    (name) => name in now.overwrites && now.overwrites[name] !== overwrites[name],
  );
  return isCalledOtherwise || reachesOthers || isChanged;
}

/** Whose account it goes through is not reached by it. */
async function targetOf(
  { known }: Action,
  connection: unknown,
  payload: Record<string, unknown>,
  account: string,
): Promise<TargetSnapshot> {
  if (!known) throw new Error('nothing is asked about this action');
  const { names, people, shown, about, standing, overwrites } = await known.ask(connection, payload);
  return {
    names: [...new Set(names)].toSorted(),
    people: people && othersAmong(people, account.toLowerCase()),
    shown,
    ...(about && { about }),
    ...(standing?.length && { standing }),
    overwrites: hashed(overwrites),
    missing: null,
  };
}

/** Each once, in an order that does not depend on the provider's. Null: somebody else is reached, and it does not tell whom. */
function othersAmong(people: NonNullable<Known['people']>, own: string): TargetSnapshot['people'] {
  const groups = people.map(({ label, addresses, isSomebody = false }) => {
    const others = new Set(addresses.map((address) => address.toLowerCase()).filter((address) => address !== own));
    return { label, addresses: [...others].toSorted(), isSomebody };
  });
  if (groups.some(({ isSomebody, addresses }) => isSomebody && addresses.length === 0)) return null;
  return groups.map(({ label, addresses }) => ({ label, addresses }));
}

function unknown(missing: string) {
  const text = `What this would touch could not be looked up, so whom it reaches is not known for sure, and later changes are not noticed. ${missing}`;
  return { label: 'Not looked up', text };
}

function hashed(values: Record<string, unknown>): Record<string, string> {
  const hash = (value: unknown) =>
    createHash('sha256')
      .update(canonicalJson(value ?? null))
      .digest('hex');
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hash(value)]));
}
