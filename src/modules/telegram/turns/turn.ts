// One message of a linked phone, and its answer: its effects and its completion are stored together.
import type { Caller } from '#kernel/caller';
import type { Calls } from '#kernel/calls';
import type { Db, Transactions } from '#kernel/database';
import type { EmitEvent } from '#kernel/event';
import type { ProviderClient } from '#providers/http';
import type { MeteredLlm } from '#modules/usage';
import type { Log } from '#platform/log';
import type { Message } from '../bot-api.ts';
import { formatMessages, type Reply } from './reply.ts';
import { noteStep, passUpdate, type BotRow, type TurnStep } from '../store/bots.ts';
import type { LinkRow } from '../store/links.ts';
import { queueReplies } from '../store/messages.ts';

/** The dependencies of listening. */
export type TurnDeps = {
  transactions: Transactions;
  client: ProviderClient;
  llm: MeteredLlm | null;
  log: Pick<Log, 'warn' | 'error'>;
  now: () => Date;
  newId: () => string;
  calls: Calls;
  emitEvent: EmitEvent;
  publicUrl: string;
  /** Accepts work that nobody here waits for; stopping the server waits for it. */
  later(work: Promise<unknown>): void;
};

/** A message to answer: its bot and its number there. */
export type IncomingMessage = { bot: BotRow; updateId: number; message: Message };

/** Written in the transaction that completes a message, beside the reply. */
export type AlsoStore = (db: Db) => Promise<void>;

/** A message of a linked phone. It ends with one `end` or one `act`, and may read and run operations before. */
export type Turn = IncomingMessage & {
  link: LinkRow;
  caller: Caller;
  now: Date;
  /** Reads this module's tables. */
  look<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs an operation that changes nothing here, and returns its answer. */
  ask(operation: string, input: object): Promise<Record<string, unknown>>;
  /**
   * Runs an operation as the last step of the turn. Its effects and the completion of the message are stored together.
   */
  act(
    operation: string,
    input: object,
    said: (db: Db, answer: Record<string, unknown>) => Promise<Reply>,
  ): Promise<void>;
  /** Runs an operation in the middle of a turn, and records it, so that a restarted turn continues after it. */
  step(operation: string, input: object, done: StepRecord): Promise<Record<string, unknown>>;
  /** Ends the turn. */
  end(reply: Reply, also?: AlsoStore): Promise<void>;
};

/** The record of an operation in the middle of a turn. */
type StepRecord = {
  kept: (answer: Record<string, unknown>) => TurnStep;
  also: (db: Db, answer: Record<string, unknown>) => Promise<void>;
};

export function createTurn(parts: TurnDeps, incoming: IncomingMessage, link: LinkRow, caller: Caller): Turn {
  const requestId = `telegram-${link.id}-${incoming.updateId}`;
  const run = (operation: string, input: object, as: Caller, alongside?: (db: Db, value: unknown) => Promise<void>) =>
    parts.calls.runAs(as, operation, input, { face: 'telegram', requestId, ...(alongside && { alongside }) });
  return {
    ...incoming,
    link,
    caller,
    now: parts.now(),
    look: (work) => parts.transactions.run(caller.workspaceId, 'read', work),
    ask: (operation, input) => run(operation, input, caller),
    async act(operation, input, said) {
      await run(operation, input, caller, async (db, answer) =>
        completeUpdate(parts, incoming, db, await said(db, answer as Record<string, unknown>)),
      );
    },
    // A model chose it, so no person has decided about it.
    step: (operation, input, { kept, also }) =>
      run(operation, input, { ...caller, isHumanSurface: false }, async (db, value) => {
        const answer = value as Record<string, unknown>; // as above
        await noteStep(db, incoming.bot, kept(answer));
        await also(db, answer);
      }),
    end: (reply, also) => endTurn(parts, incoming, reply, also),
  };
}

/** Completes a message with a reply, in its own transaction. */
export async function endTurn(
  parts: TurnDeps,
  incoming: IncomingMessage,
  reply: Reply,
  also?: AlsoStore,
): Promise<void> {
  await parts.transactions.run(incoming.bot.workspace_id, 'write', async (db) => {
    await also?.(db);
    await completeUpdate(parts, incoming, db, reply);
  });
}

/** Records that a message is complete, and its reply, in an open transaction. */
export async function completeUpdate(
  parts: TurnDeps,
  { bot, updateId, message }: IncomingMessage,
  db: Db,
  reply: Reply,
) {
  const at = parts.now();
  await passUpdate(db, bot, updateId, at);
  const html = formatMessages(reply);
  await queueReplies(
    db,
    html.map((each, index) => ({
      id: parts.newId(),
      workspace_id: bot.workspace_id,
      connection_id: bot.connection_id,
      chat_id: message.chat.id,
      reply_to: index === 0 ? message.message_id : null,
      html: each,
      created_at: at,
    })),
  );
}
