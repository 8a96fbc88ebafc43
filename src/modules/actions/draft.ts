import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Action } from '#kernel/action';
import { z } from 'zod';
import { hashOf } from './canonical.ts';
import { draftCreated } from './events.ts';
import { expireOverdue } from './expire.ts';
import { askPolicy, subjectOf, type Ruling } from './policy/ask-policy.ts';
import { reasonOf } from './policy/judge.ts';
import { presentVerdict } from './policy/present.ts';
import { insertDraft, type DraftRow } from './store/drafts.ts';
import { appendToLedger } from './store/ledger.ts';

const livesMs = 60 * 60 * 1000;

export type DraftRequest = {
  action: Action;
  payload: unknown;
  /** Through which account it would be sent. */
  connection: { id: string; account: string };
  batchId: string | null;
  notify: readonly string[];
  /** Which draft it is sent again for. */
  followsId?: string;
};

/**
 * Drafts an effect, and asks the policy about it. Nothing leaves the server. An equal pending draft of the same caller is
 * returned, not doubled. Throws `forbidden` with the rule when the policy blocks it.
 */
export async function draftAction(ctx: Context, request: DraftRequest): Promise<DraftRow> {
  const { action, connection, batchId, notify, followsId = null } = request;
  const payload = parsePayload(action, request.payload);
  const { workspaceId, personId, id: callerId, label, homeBrainId, kind } = ctx.caller;
  const { source, name } = action;
  const subject = subjectOf(action, payload, { account: connection.account, caller: kind });
  const policy = await askPolicy(ctx.db, subject);
  if (policy.effect === 'block') throw blocked(policy);
  await expireOverdue(ctx.db, ctx.now);
  const { row, isNew } = await insertDraft(ctx.db, {
    id: ctx.newId(),
    workspace_id: workspaceId,
    brain_id: homeBrainId,
    person_id: personId,
    connection_id: connection.id,
    account: connection.account,
    source,
    action: name,
    payload,
    payload_hash: hashOf({ source, action: name, connectionId: connection.id, payload, policy }),
    preview: action.preview(payload),
    batch_id: batchId,
    follows_id: followsId,
    notify_targets: [...notify],
    drafted_by: callerId,
    drafted_by_label: label,
    drafted_by_kind: kind,
    policy,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + livesMs),
  });
  if (isNew) {
    await appendToLedger(
      ctx.db,
      row,
      'drafted',
      { payload_hash: row.payload_hash, by: label, caller_id: callerId, policy: ruled(policy) },
      ctx.now,
    );
    await ctx.emit(draftCreated({ draft_id: row.id, source, action: name }, { personId }));
  }
  return row;
}

/** What the policy refuses, with the rule that does. */
export function blocked(ruling: Ruling): AppError {
  const message = `The policy of this workspace refuses it. ${reasonOf(ruling)} explain_policy tells more.`;
  return new AppError('forbidden', message, { policy: presentVerdict(ruling) });
}

/** A ruling as the ledger keeps it. */
export function ruled({ effect, from, position, version }: Ruling) {
  return { effect, from, position, version };
}

/** Checks a payload against the action's own schema. Throws `invalid_input` that names each field. */
export function parsePayload(action: Action, payload: unknown): Record<string, unknown> {
  const parsed = action.payload.safeParse(payload);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const text = issues.map(({ path, message }) => `${path || action.name}: ${message}`).join('; ');
  throw new AppError('invalid_input', `${action.name} cannot be drafted. ${text}`, {
    issues,
    input_schema: z.toJSONSchema(action.payload, { io: 'input' }),
  });
}
