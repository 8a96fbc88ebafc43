import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { issuesOf, textOf } from '#kernel/issues';
import type { Action } from '#kernel/action';
import { holdFiles, type HeldFile } from '#modules/pages';
import { z } from 'zod';
import { byWhom } from '../deciding/by-whom.ts';
import { hashOf, hashOfPart } from '../canonical.ts';
import { draftCreated, draftEdited } from '../events.ts';
import { expireOverdue } from '../deciding/expire.ts';
import { askPolicy, subjectOf, type Ruling } from '../policy/ask-policy.ts';
import { reasonOf, type Verdict } from '../policy/judge.ts';
import { presentVerdict } from '../policy/present.ts';
import type { Sending } from '../sending/sending.ts';
import { insertDraft, joinBatch, lockWish, type DraftRow, type NewDraft } from '../store/drafts.ts';
import { addNotifyTarget, setNotifyTargets } from '../store/notify-targets.ts';
import { appendToLedger } from '../store/ledger.ts';
import { replaceEqual } from './replace-equal.ts';
import { withTarget, type Target } from './target.ts';

const livesMinutes = 60;

export type DraftRequest = {
  action: Action;
  payload: unknown;
  /** Through which account it would be sent, and which link of the caller's chain had it. */
  connection: { id: string; account: string; link?: string };
  batchId: string | null;
  /** Where the person should be told of it: `inbox`, `telegram`. */
  notify: readonly string[];
  /** Files that are sent with it, and whose bytes are kept until then; the payload tells the hash of each. */
  files?: readonly HeldFile[];
  /** How long it waits for a yes; an hour unless told. */
  expiresInMinutes?: number;
  /** Whose draft it is and where it was drafted; the caller's, unless they decide for somebody who named them. */
  owner?: { personId: string; brainId: string | null };
  /** Which draft it is sent again for. */
  followsId?: string;
  /** What its provider knows of it; null: nothing is asked about it. */
  target?: Target | null;
};

/**
 * Drafts an effect, and asks the policy about it. Nothing leaves the server. An equal pending draft of the same caller is
 * returned, not doubled. `notify_targets` of the draft tells where its prompt really goes: without a phone that can be
 * reached, to the inbox alone. Throws `forbidden` with the rule when the policy blocks it.
 */
export async function draftAction(
  ctx: Context,
  request: DraftRequest,
  { prompts, tell }: Pick<Sending, 'prompts' | 'tell'>,
): Promise<DraftRow> {
  const { action, connection, batchId, files = [], followsId = null, target = null } = request;
  const livesMs = (request.expiresInMinutes ?? livesMinutes) * 60_000;
  const payload = parsePayload(action, request.payload);
  const { workspaceId, id: callerId, label, kind, ownRules } = ctx.caller;
  const { personId, brainId } = request.owner ?? { ...ctx.caller, brainId: ctx.caller.homeBrainId };
  const { source, name } = action;
  const subject = subjectOf(action, payload, { account: connection.account, caller: kind, ownRules }, target);
  const policy = await askPolicy(ctx.db, subject);
  if (policy.effect === 'block') throw blocked(policy);
  const wish = { drafted_by: callerId, connection_id: connection.id, source, action: name, payload };
  if (target) await lockWish(ctx.db, wish);
  await expireOverdue({ tell, newId: ctx.newId }, ctx.db, ctx.now, callerId);
  const payload_hash = hashOf({ source, action: name, connectionId: connection.id, payload, policy, target });
  const waiting = target && (await replaceEqual(ctx, wish, { target, policy }));
  const { row: drafted, isNew } = await insertUnless(ctx.db, waiting, {
    ...wish,
    id: ctx.newId(),
    workspace_id: workspaceId,
    brain_id: brainId,
    person_id: personId,
    account: connection.account,
    payload_hash,
    preview: withTarget(action.preview(payload), target),
    target,
    batch_id: batchId,
    follows_id: followsId,
    notify_targets: ['inbox'],
    drafted_by_label: label,
    drafted_by_kind: kind,
    own_rules: [...ownRules],
    policy,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + livesMs),
  });
  if (isNew) {
    await holdFiles(ctx.db, { holderId: drafted.id, workspaceId, files });
    const detail = { ...byWhom(ctx), ...about(drafted), link: connection.link, ...(target && found(target)) };
    await appendToLedger(ctx.db, drafted, 'drafted', detail, ctx.now);
    await ctx.emit(draftCreated({ draft_id: drafted.id, source, action: name }, { personId }));
  }
  const row = isNew ? drafted : await inBatch(ctx, drafted, batchId);
  if (policy.effect === 'allow') return row;
  const reached: string[] = [];
  for (const way of request.notify) if (await prompts.get(way)?.(ctx, row.id)) reached.push(way);
  if (!reached.length) return row;
  const notify_targets = isNew ? [...request.notify] : [...new Set([...row.notify_targets, ...reached])];
  if (isNew) await setNotifyTargets(ctx.db, row.id, notify_targets);
  else for (const way of reached) await addNotifyTarget(ctx.db, [row.id], way);
  return { ...row, notify_targets };
}

/** What the policy refuses, with the rule that does. */
export function blocked(ruling: Verdict): AppError {
  const whose = ruling.from === 'key' ? 'The rules of this key refuse it' : 'The policy of this workspace refuses it';
  const message = `${whose}. ${reasonOf(ruling)} explain_policy tells more.`;
  return new AppError('forbidden', message, { policy: presentVerdict(ruling) });
}

async function insertUnless(db: Context['db'], waiting: DraftRow | null, draft: NewDraft) {
  return waiting ? { row: waiting, isNew: false } : insertDraft(db, draft);
}

/** An equal draft that waits stands in the batch of whoever drafted it last. */
async function inBatch(ctx: Context, draft: DraftRow, batchId: string | null): Promise<DraftRow> {
  if (batchId === null || draft.batch_id === batchId || draft.status !== 'pending') return draft;
  await joinBatch(ctx.db, draft.id, batchId);
  await ctx.emit(draftEdited({ draft_id: draft.id }, { personId: draft.person_id }));
  return { ...draft, batch_id: batchId };
}

/** What is drafted, for whom, and through which account, as the ledger keeps it. */
function about({ preview, target, policy, ...draft }: DraftRow) {
  const { source, action, person_id, connection_id, account, payload_hash } = draft;
  const hashes = { payload_hash, preview_hash: hashOfPart(preview), target_hash: hashOfPart(target) };
  return { source, action, person_id, connection_id, account, ...hashes, ...(policy && { policy: ruled(policy) }) };
}

/** What was found out, as the ledger keeps it. */
function found({ names, people, missing }: Target) {
  if (missing !== null) return { not_looked_up: missing };
  return { looked_up: { names, ...(people && { people }) } };
}

/** A ruling as the ledger keeps it. */
export function ruled({ effect, from, position, version }: Ruling) {
  return { effect, from, position, version };
}

/** Checks a payload against the action's own schema. Throws `invalid_input` that names each field. */
export function parsePayload(action: Action, payload: unknown): Record<string, unknown> {
  const parsed = action.payload.safeParse(payload);
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error.issues, action.payload);
  const text = textOf(issues, parsed.error.issues.length, action.name);
  throw new AppError('invalid_input', `${action.name} cannot be drafted. ${text}`, {
    issues,
    input_schema: z.toJSONSchema(action.payload, { io: 'input' }),
  });
}
