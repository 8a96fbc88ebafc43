// The provider's data about a draft's target at drafting: the recipients, the target's names, and the content that
// would be overwritten. If that changes before the draft is sent, the draft is stale.
import { createHash } from 'node:crypto';
import type { Action, Preview, TargetSnapshot } from '#kernel/action';
import { AppError } from '#kernel/errors';
import type { DraftConnection } from '#kernel/module';
import { formatCanonicalJson } from '../canonical.ts';
import { describeError, type GateDeps } from '../gate-deps.ts';

/** How long drafting waits for the provider. After that the draft says that its target was not looked up. */
const readsWithinMs = 5_000;

/** An effect that may be drafted, and its account. */
export type LookUp = { action: Action; payload: Record<string, unknown>; account: string } & DraftConnection;

/** Whether the provider is asked about an effect before it is drafted. */
export function needsSnapshot(action: Action, payload: Record<string, unknown>): boolean {
  return action.snapshot !== undefined && (action.needsSnapshot?.(payload) ?? true);
}

/**
 * Asks the provider about a target, for a short time. A provider that does not answer is not an error: the draft says
 * so. Throws an error for which `isForGood` is true when the target certainly does not exist.
 */
export async function takeSnapshot(deps: GateDeps, lookUp: LookUp): Promise<TargetSnapshot | null> {
  const { action, payload, account } = lookUp;
  if (!needsSnapshot(action, payload)) return null;
  try {
    const connection = deps.connect(lookUp, AbortSignal.timeout(Math.min(readsWithinMs, deps.times.timeoutMs)));
    return await readTarget(action, connection, payload, account);
  } catch (error) {
    if (isForGood(error)) throw error;
    deps.log.info({ err: error, draft_id: lookUp.id }, 'the target of a draft could not be looked up');
    return createMissingSnapshot(describeError(deps, lookUp, error).message);
  }
}

/** The provider answered that the target does not exist or is ambiguous: sending could only fail. */
export function isForGood(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'not_found' || error.code === 'invalid_input');
}

/** The snapshot of a target that was not looked up, with the reason. */
export function createMissingSnapshot(missing: string): TargetSnapshot {
  return { names: [], people: null, shown: [], overwrites: {}, missing };
}

/** Whether the snapshot contains no data of the provider, so that every viewer of the draft may see it. */
export function hasNoTargetData(target: TargetSnapshot | null): boolean {
  return target === null || target.missing !== null;
}

/** The snapshot, or why there is none, in words for people. */
export function formatSnapshotFields(target: TargetSnapshot | null): Preview['fields'] {
  if (!target) return [];
  const { shown, people, missing } = target;
  const reached = (people ?? []).map(({ label, addresses }) => ({ label, text: addresses.join(', ') }));
  const notice = {
    label: 'Not looked up',
    text: `The target could not be looked up. The recipients are uncertain, and later changes will not be noticed. ${missing}`,
  };
  return [...shown, ...reached, ...(missing ? [notice] : [])].filter(({ text }) => text !== '');
}

/** Reads a target at its provider. The sending account is not a recipient. */
export async function readTarget(
  action: Action,
  connection: unknown,
  payload: Record<string, unknown>,
  account: string,
): Promise<TargetSnapshot> {
  if (!action.snapshot) throw new Error('the provider is not asked about this action');
  const { names, people, shown, about, standing, present, overwrites } = await action.snapshot(connection, payload);
  const hash = (value: unknown) =>
    createHash('sha256')
      .update(formatCanonicalJson(value ?? null))
      .digest('hex');
  return {
    names: [...new Set(names)].toSorted(),
    people: people && listOtherPeople(people, account.toLowerCase()),
    shown,
    ...(about && { about }),
    ...(standing?.length && { standing }),
    ...(present && Object.keys(present).length > 0 && { present }),
    overwrites: Object.fromEntries(Object.entries(overwrites).map(([name, value]) => [name, hash(value)])),
    missing: null,
  };
}

/** Each address once, sorted. Null: another person is reached, and the provider does not say who. */
function listOtherPeople(people: NonNullable<TargetSnapshot['people']>, own: string): TargetSnapshot['people'] {
  const groups = people.map(({ label, addresses, isSomebody = false }) => {
    const others = new Set(addresses.map((address) => address.toLowerCase()).filter((address) => address !== own));
    return { label, addresses: [...others].toSorted(), isSomebody };
  });
  if (groups.some(({ isSomebody, addresses }) => isSomebody && addresses.length === 0)) return null;
  return groups.map(({ label, addresses }) => ({ label, addresses }));
}
