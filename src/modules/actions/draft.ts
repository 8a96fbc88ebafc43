import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { Action } from '#kernel/action';
import { z } from 'zod';
import { hashOf } from './canonical.ts';
import { draftCreated } from './events.ts';
import { expireOverdue } from './expire.ts';
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
};

/** Drafts an effect. Nothing leaves the server. An equal pending draft of the same caller is returned, not doubled. */
export async function draftAction(ctx: Context, request: DraftRequest): Promise<DraftRow> {
  const { action, connection, batchId, notify } = request;
  const payload = parsePayload(action, request.payload);
  const { workspaceId, personId, id: callerId, label, homeBrainId } = ctx.caller;
  const { source, name } = action;
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
    payload_hash: hashOf({ source, action: name, connectionId: connection.id, payload }),
    preview: action.preview(payload),
    batch_id: batchId,
    notify_targets: [...notify],
    drafted_by: callerId,
    drafted_by_label: label,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + livesMs),
  });
  if (isNew) {
    await appendToLedger(
      ctx.db,
      row,
      'drafted',
      { payload_hash: row.payload_hash, by: label, caller_id: callerId },
      ctx.now,
    );
    await ctx.emit(draftCreated({ draft_id: row.id, source, action: name }, { personId }));
  }
  return row;
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
