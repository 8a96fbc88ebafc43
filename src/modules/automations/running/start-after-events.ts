// Starts automations after events.
import { createHash } from 'node:crypto';
import { brainAccess } from '#modules/brains';
import { listTriggeredBy } from '../store/automations.ts';
import { versionsOfPages } from '../store/pages.ts';
import type { AutomationRow } from '../store/tables.ts';
import { callerOfRun } from './caller-of-run.ts';
import { queueRun } from './queue-run.ts';
import type { RunDeps } from './run-deps.ts';
import type { Db } from '#kernel/database';

type Pages = { page_ids: string[]; brain_id: string; source: string | null };

/**
 * Starts automations whose trigger matches these pages, if their owners may read them. The same page versions start
 * an automation once.
 */
export async function startAfterPages(running: RunDeps, workspaceId: string, pages: Pages): Promise<void> {
  await running.transactions.run(workspaceId, 'write', async (db) => {
    const waiting = (await listTriggeredBy(db, 'page_ingested')).filter((each) => isAbout(each, pages));
    if (!waiting.length) return;
    const slot = slotOf('page', await versionsOfPages(db, pages.page_ids));
    for (const automation of waiting)
      if (await mayRead(db, automation, pages.brain_id))
        await queueRun(running, db, automation, { kind: 'page_ingested', slot, due: running.now(), payload: pages });
  });
}

function isAbout({ triggers }: AutomationRow, { brain_id, source }: Pages): boolean {
  return triggers.some(
    (each) =>
      each.kind === 'page_ingested' &&
      (each.brain_id === undefined || each.brain_id === brain_id) &&
      (each.source === undefined || each.source === source),
  );
}

type Board = {
  board_id: string;
  brain_id: string;
  dataset: string | null;
  row_ids: string[];
  by_automation: string | null;
};

/** Starts automations that are triggered by this board. An automation does not start itself. */
export async function startAfterBoard(running: RunDeps, workspaceId: string, board: Board): Promise<void> {
  if (!board.row_ids.length) return;
  await running.transactions.run(workspaceId, 'write', async (db) => {
    for (const automation of await listTriggeredBy(db, 'board_change')) {
      const isMeant = automation.triggers.some(
        (each) => each.kind === 'board_change' && (each.board_id === undefined || each.board_id === board.board_id),
      );
      if (!isMeant || automation.id === board.by_automation || !(await mayRead(db, automation, board.brain_id)))
        continue;
      const start = {
        kind: 'board_change' as const,
        slot: slotOf('board', board.row_ids),
        due: running.now(),
        payload: board,
      };
      await queueRun(running, db, automation, start);
    }
  });
}

/** Whether the automation's owner may read a brain. */
async function mayRead(db: Db, automation: AutomationRow, brainId: string): Promise<boolean> {
  const run = { id: automation.id, starter: null, grants: [], mode: 'live' as const, slot: '', attempt: 1 };
  const caller = await callerOfRun(db, automation, run).catch(() => null);
  return caller !== null && (await brainAccess(db, caller)).roles.has(brainId);
}

/** A key that is equal for equal events. */
function slotOf(kind: string, things: unknown): string {
  return `${kind}:${createHash('sha256').update(JSON.stringify(things)).digest('hex')}`;
}
