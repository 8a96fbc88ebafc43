// Who sees a draft and may decide about it: its owner, and the owner's delegates.
import type { Caller } from '#kernel/caller';
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { createNotFoundError } from '#kernel/errors';
import { buildReadSubject, judge, readActor, readPolicy } from '#modules/policy';
import { lockDelegations, listActiveDelegations, type Delegation } from '../store/approvers.ts';
import type { VisibleDrafts } from '../store/draft-lists.ts';
import type { DraftRow } from '../store/drafts.ts';

/** A viewer of drafts: which drafts they see, and which of them with content. */
export type Viewer = VisibleDrafts & {
  /** Whether the viewer may see the content of an account, which counts as reading it. */
  mayRead(source: string, account: string): boolean;
};

type DraftAccessFields = Pick<
  DraftRow,
  'person_id' | 'brain_id' | 'drafted_by' | 'source' | 'action' | 'status' | 'expires_at' | 'settled_at'
>;

/**
 * The view of a caller. Only a person who looks sees drafts of others: on their own screen or on their linked phone.
 * Their keys see none, and neither does a session that a key opened.
 */
export async function loadViewer(db: Db, caller: Caller, at: Date): Promise<Viewer> {
  const { personId, isHumanSurface } = caller;
  const delegations = isHumanSurface ? await listActiveDelegations(db, { approverId: personId }, at) : [];
  return { personId, confinedTo: getConfinement(caller), delegations, mayRead: await createReadCheck(db, caller) };
}

/**
 * A person at a screen decides, and sees the target; for any other caller the current policy decides, as for reading.
 */
async function createReadCheck(db: Db, caller: Caller): Promise<Viewer['mayRead']> {
  if (caller.isHumanSurface) return () => true;
  if (!caller.scopes.has('integrations:fetch')) return () => false;
  const policy = await readPolicy(db);
  return (source, account) =>
    judge(policy, buildReadSubject(source, { account, ...readActor(caller) })).effect === 'allow';
}

/** The view of a person on their own screen. */
export async function loadPersonViewer(db: Db, personId: string, at: Date): Promise<Viewer> {
  const delegations = await listActiveDelegations(db, { approverId: personId }, at);
  return { personId, confinedTo: null, delegations, mayRead: () => true };
}

export function canViewerSee(viewer: Viewer, draft: DraftAccessFields): boolean {
  return isOwn(viewer, draft) || viewer.delegations.some((delegation) => doesCoverDraft(delegation, draft));
}

/** The owner who delegated a draft to a viewer; null: it is their own. */
export function findOwnerName({ delegations }: Viewer, draft: Pick<DraftRow, 'person_id'>): string | null {
  return delegations.find(({ person_id }) => person_id === draft.person_id)?.person_name ?? null;
}

function getConfinement({ reach, homeBrainId: brainId, id: keyId }: Caller): Viewer['confinedTo'] {
  return reach === 'brain' ? { brainId, keyId } : null;
}

function isOwn({ personId, confinedTo }: Pick<Viewer, 'personId' | 'confinedTo'>, draft: DraftAccessFields): boolean {
  if (draft.person_id !== personId) return false;
  return !confinedTo || draft.brain_id === confinedTo.brainId || draft.drafted_by === confinedTo.keyId;
}

/** The people who may decide about a draft, its owner first. */
export async function listDeciders(db: Db, draft: DraftAccessFields, at: Date): Promise<string[]> {
  const delegations = await listActiveDelegations(db, { personId: draft.person_id }, at);
  const approvers = delegations
    .filter((delegation) => doesCoverDraft(delegation, draft))
    .map(({ approver_id }) => approver_id);
  return [...new Set([draft.person_id, ...approvers])];
}

/** The delegation by which somebody decides about another's draft, as the ledger stores it. */
export type Authority = { named_by: string; naming_id: string } | null;

/**
 * The delegation by which a caller decides about a locked draft; null for their own. It stays valid until the
 * transaction ends. Throws `not_found` without one, also when it was just withdrawn.
 */
export async function lockAuthority({ db, caller, now }: Context, draft: DraftRow): Promise<Authority> {
  if (isOwn({ personId: caller.personId, confinedTo: getConfinement(caller) }, draft)) return null;
  const between = { personId: draft.person_id, approverId: caller.personId };
  const delegations = caller.isHumanSurface ? await lockDelegations(db, between, now) : [];
  const delegation = delegations.find((each) => doesCoverDraft(each, draft));
  if (!delegation) throw createNotFoundError('draft');
  return { named_by: delegation.person_name, naming_id: delegation.id };
}

/**
 * A delegate does not see drafts that ended before the delegation. `isVisibleTo` of the store has the same rule in SQL.
 */
function doesCoverDraft(
  { person_id, sources, actions, created_at: named }: Delegation,
  draft: DraftAccessFields,
): boolean {
  const isNamed = (names: readonly string[] | null, name: string) => names === null || names.includes(name);
  const over = draft.settled_at ?? (draft.status === 'pending' ? draft.expires_at : null);
  const isOfTheirTime = over === null || over >= named;
  return (
    isOfTheirTime && person_id === draft.person_id && isNamed(sources, draft.source) && isNamed(actions, draft.action)
  );
}
