import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import type { Event } from '#kernel/event';
import { idsAt } from '#kernel/ids';
import type { Operation } from '#kernel/operation';
import { insertAuditRow, insertEvent } from './store.ts';

export { dropEventsBefore, insertAuditRow, latestCursor, readEvents, type Cursor, type ReadEvent } from './store.ts';

/** Writes one row of the record: who did what to which things. Contents are not kept here, only ids. */
export async function recordCall(ctx: Context, operation: Operation, input: Record<string, unknown>): Promise<void> {
  const subject = Object.fromEntries(
    operation.idFields.map((field) => [field.path[0] ?? '', idsAt(input, field.path)]).filter(([, ids]) => ids?.length),
  );
  await insertAuditRow(ctx.db, {
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    at: ctx.now,
    caller_kind: ctx.caller.kind,
    caller_id: ctx.caller.id,
    person_id: ctx.caller.personId,
    operation: operation.name,
    face: ctx.face,
    request_id: ctx.requestId,
    subject: { ...subject, ...ctx.auditFacts },
  });
}

/** Puts an event into the outbox, in the transaction that caused it. */
export async function recordEvent(ctx: Context, event: Event): Promise<void> {
  await storeEvent(ctx.db, event, { id: ctx.newId(), workspaceId: ctx.caller.workspaceId, at: ctx.now });
}

/** As `recordEvent`, for work that no call asked for. */
export async function storeEvent(
  db: Db,
  event: Event,
  row: { id: string; workspaceId: string; at: Date },
): Promise<void> {
  await insertEvent(db, { ...event, ...row });
}
