import type { BrainRole, Caller } from './caller.ts';
import type { Db } from './database.ts';
import type { Event } from './event.ts';
import type { Asking } from './question.ts';

/** Which brains a caller may use, and how. */
export type BrainAccess = {
  /** The brain it writes to unless told otherwise. */
  homeBrainId: string;
  /** Every brain it may read, with its role there. */
  roles: ReadonlyMap<string, BrainRole>;
};

/** By which face a call came; `server`: none, it is work of the server's own. */
export type Face = 'console' | 'rest' | 'cli' | 'mcp' | 'telegram' | 'server';

/** What stays the same through a whole call. */
export type CallContext = {
  caller: Caller;
  face: Face;
  now: Date;
  newId(): string;
  requestId: string;
  /** Reports how far long work has come, where the face can show it. */
  progress(done: number, total: number | null, message: string): void;
  /** Whether the person at the other end can be asked within the call, and what they replied; null: not there. */
  asking: Asking | null;
};

/** What an operation's `run` works with: one transaction, bound to the caller's workspace. */
export type Context = CallContext & {
  db: Db;
  /** Stands in the audit row of this call beside the ids of its input, such as which credential answered. Never a value. */
  auditFacts: Record<string, unknown>;
  /** Asked for once and kept for the rest of the transaction. */
  brains(): Promise<BrainAccess>;
  /** Tells an event; it becomes visible when the transaction commits. */
  emit(event: Event): Promise<void>;
};

/** What an operation's `afterCommit` works with: no transaction is open, so the network may be used. */
export type AfterCommitContext = CallContext & {
  /** Opens one short transaction of its own. */
  transact<T>(work: (ctx: Context) => Promise<T>): Promise<T>;
};
