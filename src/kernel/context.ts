import type { BrainRole, Caller } from './caller.ts';
import type { Db } from './database.ts';
import type { Event } from './event.ts';
import type { QuestionSupport } from './question.ts';

/** The brains that a caller may use, and its rights on them. */
export type BrainAccess = {
  /** The brain where it writes by default. */
  homeBrainId: string;
  /** Every brain it may read, with its role there. */
  roles: ReadonlyMap<string, BrainRole>;
};

/** The face of a call; `server`: no face, the server's own work. */
export type Face = 'console' | 'rest' | 'cli' | 'mcp' | 'telegram' | 'server';

/** The values that stay the same during a whole call. */
export type CallContext = {
  caller: Caller;
  face: Face;
  now: Date;
  newId(): string;
  requestId: string;
  /** Reports the progress of long work, if the face can show it. */
  progress(done: number, total: number | null, message: string): void;
  /** How to ask the person during the call, and their reply; null: the client cannot ask. */
  asking: QuestionSupport | null;
};

/** The context of an operation's `run`: one transaction, bound to the caller's workspace. */
export type Context = CallContext & {
  db: Db;
  /**
   * Further entries of the call's audit row, beside the ids of its input, such as the credential that was used. Never a
   * secret value.
   */
  auditFacts: Record<string, unknown>;
  /** A value that is computed once and kept for the rest of the transaction. */
  brains(): Promise<BrainAccess>;
  /** Emits an event; it becomes visible when the transaction commits. */
  emit(event: Event): Promise<void>;
};

/** The context of an operation's `afterCommit`: no transaction is open, so it may use the network. */
export type AfterCommitContext = CallContext & {
  /** Opens a short transaction of its own. */
  transact<T>(work: (ctx: Context) => Promise<T>, options?: { mayRepeat?: boolean }): Promise<T>;
};
