import type { Context } from '#kernel/context';
import { readIds } from '#kernel/ids';
import type { Operation } from '#kernel/operation';
import { insertAuditRow } from './store.ts';

export { auditModule } from './module.ts';
export {
  dropEventsOfBrain,
  insertAuditRow,
  readLatestCursor,
  moveCursor,
  readEvents,
  type Cursor,
  type ReadEvent,
} from './store.ts';
export { createEmitEvent } from './emit.ts';

/** Writes one audit row: who did what to which items. It contains ids only, no contents. */
export async function recordCall(ctx: Context, operation: Operation, input: Record<string, unknown>): Promise<void> {
  const subject = Object.fromEntries(
    operation.idFields
      .map((field) => [field.path[0] ?? '', readIds(input, field.path)])
      .filter(([, ids]) => ids?.length),
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
