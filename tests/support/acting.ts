// Drafts, confirms and waits for the end, as agents and people do.
import type { Output } from '#sdk';
import { findServerDatabase, type ReachedServer } from './server.ts';
import { passTime } from './time-passes.ts';

export type ActionToDraft = {
  source: string;
  action_name: string;
  input: Record<string, unknown>;
  attachments?: object[];
};
export type FinishedAction = Output<'get_action'>;

/** Drafts and answers the draft's id. */
export async function createActionDraft(server: ReachedServer, request: ActionToDraft): Promise<string> {
  const isPush = request.source === 'telegram'; // to one's own phone, by an operation of its own
  const answer = await (isPush ? server.ok('telegram_push', request.input) : server.ok('act_on_integration', request));
  if (answer['kind'] !== 'draft') throw new Error(`nothing was drafted: ${JSON.stringify(answer)}`);
  return String(answer['draft_id']);
}

/**
 * Waits until the outcome of a draft is known. While the provider does not know it, time passes in the database of a server of
 * this process, so that nothing waits until a lost request can no longer arrive.
 */
export async function waitForOutcome(
  server: ReachedServer,
  draftId: string,
  { milliseconds = 60_000, isTimePassed = true } = {},
): Promise<FinishedAction> {
  const giveUpAt = Date.now() + milliseconds;
  const database = isTimePassed ? findServerDatabase(server) : undefined;
  for (;;) {
    const action = await server.ok('get_action', { draft_id: draftId });
    if (!['confirming', 'ambiguous'].includes(action.status)) return action;
    if (Date.now() > giveUpAt) throw new Error(`still ${action.status}: ${JSON.stringify(action.ledger)}`);
    if (action.status === 'ambiguous' && database) await passTime(database, 5);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** What is said to who drafts what could but fail: it is refused before it is drafted. */
export async function readRefusal(server: ReachedServer, request: ActionToDraft): Promise<string> {
  const { status, body } = await server.call('act_on_integration', request);
  if (status !== 422) throw new Error(`it was not refused: ${JSON.stringify(body)}`);
  return String(body['detail']);
}

/** Drafts, confirms with edits, and answers the whole record of it. */
export async function act(
  server: ReachedServer,
  request: ActionToDraft,
  edits?: Record<string, unknown>,
): Promise<FinishedAction> {
  const id = await createActionDraft(server, request);
  await server.ok('confirm_action', { draft_id: id, ...(edits && { edits }) });
  return waitForOutcome(server, id);
}

/** Lets the owner's key confirm what deletes, or changes who has access; by default a person has to. */
export async function allowKeysToDestroy(server: ReachedServer): Promise<void> {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules: [{ effect: 'require_approval', risks: ['destructive'] }] });
}
