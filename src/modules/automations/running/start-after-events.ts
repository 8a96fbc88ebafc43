// Starts automations after events.
import { createHash } from 'node:crypto';
import type { Db } from '#kernel/database';
import { readBrainAccess } from '#modules/brains';
import { listLiveVersions } from '#modules/pages';
import { listAutomationsByTrigger } from '../store/automations.ts';
import type { AutomationRow } from '../store/tables.ts';
import { countWaiting, mostWaiting } from '../store/runs.ts';
import { readRunCaller } from './run-caller.ts';
import { queueRun } from './queue-run.ts';
import type { RunDeps } from './run-deps.ts';

/** The most automations that start each other in a row. */
const longestChain = 4;

/** `by_automations` is absent in events that an earlier release emitted. */
type EventCause = { brain_id: string; by_automations?: string[] };
type Pages = EventCause & { page_ids: string[]; source: string | null };
/** `change_id` is absent in events that an earlier release emitted: of those, each row was appended once. */
type Board = EventCause & { board_id: string; dataset: string | null; row_ids: string[]; change_id?: string };

/**
 * Starts automations whose trigger matches these pages, if their owners may read them. The same page versions start an
 * automation once. Removed pages start none.
 */
export async function startAfterPages(running: RunDeps, workspaceId: string, pages: Pages): Promise<void> {
  await running.transactions.run(workspaceId, 'write', async (db) => {
    const waiting = (await listAutomationsByTrigger(db, 'page_ingested')).filter((each) => isAbout(each, pages));
    if (!waiting.length) return;
    const versions = await listLiveVersions(db, pages.page_ids);
    if (!versions.length) return;
    const payload = { ...pages, page_ids: versions.map(({ id }) => id) };
    await startAll(running, db, waiting, { kind: 'page_ingested', slot: buildEventSlot('page', versions), payload });
  });
}

function isAbout({ triggers }: AutomationRow, { brain_id, source }: Pages): boolean {
  return triggers.some(
    (each) =>
      each.kind === 'page_ingested' &&
      (each.brain_id === undefined || each.brain_id === brain_id) &&
      (each.source === undefined || isFrom(source, each.source)),
  );
}

/** A source has levels, like in search filters: `gmail` matches `gmail:ada@example.com`. */
function isFrom(source: string | null, wanted: string): boolean {
  return source !== null && `:${source}:`.includes(`:${wanted}:`);
}

/** Starts automations that are triggered by this board, if their owners may read it. */
export async function startAfterBoard(running: RunDeps, workspaceId: string, board: Board): Promise<void> {
  if (!board.row_ids.length) return;
  await running.transactions.run(workspaceId, 'write', async (db) => {
    const waiting = (await listAutomationsByTrigger(db, 'board_change')).filter(({ triggers }) =>
      triggers.some(
        (each) => each.kind === 'board_change' && (each.board_id === undefined || each.board_id === board.board_id),
      ),
    );
    await startAll(running, db, waiting, {
      kind: 'board_change',
      slot: buildEventSlot('board', board.change_id ?? board.row_ids),
      payload: board,
    });
  });
}

type EventOccasion = { kind: 'page_ingested' | 'board_change'; slot: string; payload: EventCause };

async function startAll(running: RunDeps, db: Db, waiting: readonly AutomationRow[], occasion: EventOccasion) {
  const { brain_id, by_automations: chain = [] } = occasion.payload;
  for (const automation of waiting) {
    if (!(await mayRead(db, automation, brain_id))) continue;
    const reason = findReasonToStop(automation.id, chain);
    if (reason) {
      running.log.info({ automation: automation.id, chain, reason }, 'an effect of automations started no further run');
      continue;
    }
    if ((await countWaiting(db, automation.id, mostWaiting)) >= mostWaiting) {
      running.log.warn(
        { automation: automation.id, waiting: mostWaiting },
        'an event started no run, because too many are waiting',
      );
      continue;
    }
    await queueRun(running, db, automation, { ...occasion, due: running.now() }, { chain });
  }
}

/** Why an effect of these automations does not start another one. Null: it does. */
export function findReasonToStop(automationId: string, chain: readonly string[]): string | null {
  if (chain.includes(automationId)) return 'It would start itself, directly or through others.';
  return chain.length >= longestChain ? `${longestChain} automations have started each other already.` : null;
}

/** Whether the automation's owner may read a brain. */
async function mayRead(db: Db, automation: AutomationRow, brainId: string): Promise<boolean> {
  const run = { id: automation.id, starter: null, grants: [], mode: 'live' as const, slot: '', attempt: 1, chain: [] };
  const caller = await readRunCaller(db, automation, run).catch(() => null);
  return caller !== null && (await readBrainAccess(db, caller)).roles.has(brainId);
}

/** A key that is equal for equal events. */
function buildEventSlot(kind: string, things: unknown): string {
  return `${kind}:${createHash('sha256').update(JSON.stringify(things)).digest('hex')}`;
}
