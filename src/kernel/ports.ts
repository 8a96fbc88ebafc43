import type { Caller } from './caller.ts';
import type { BrainAccess, Context } from './context.ts';
import type { Db, Transactions } from './database.ts';
import type { Event } from './event.ts';
import type { ResourceKind } from './ids.ts';
import type { Operation } from './operation.ts';
import type { Resource } from './resource.ts';

/** An answer stored for an `Idempotency-Key`: done with its body, or still running. */
export type KeptAnswer = { state: 'done'; output: unknown } | { state: 'running' };

/**
 * Identifies one repeatable request. `requestHash` distinguishes a repetition from another request under the same key.
 */
export type Repetition = { callerId: string; operation: string; key: string; requestHash: string };

/** The functions that the kernel needs from modules. The composition root provides them. */
export type Ports = {
  transactions: Transactions;
  now(): Date;
  newId(): string;
  /** Takes one call from the caller's allowance, or throws `rate_limited`. */
  limit(caller: Caller): Promise<void> | void;
  resources: ReadonlyMap<ResourceKind, Resource>;
  brainAccess(db: Db, caller: Caller): Promise<BrainAccess>;
  /**
   * Throws unless the caller's credential and role are still valid, and locks both until the transaction ends. A caller
   * is cached for a second, and an operation that widens access must not use an outdated one.
   */
  lockCaller(db: Db, caller: Caller): Promise<void>;
  /** Reserves the key for this request, or returns the answer stored under it. */
  reserveAnswer(db: Db, repetition: Repetition): Promise<KeptAnswer | null>;
  keepAnswer(db: Db, repetition: Repetition, output: unknown): Promise<void>;
  releaseAnswer(db: Db, repetition: Repetition): Promise<void>;
  emit(ctx: Context, event: Event): Promise<void>;
  /** Writes one row of the append-only record. */
  audit(ctx: Context, operation: Operation, input: Record<string, unknown>): Promise<void>;
  hash(text: string): string;
  /** Runs a limited number of calls of a name at a time, as `maxAtOnce` of an operation says. */
  inTurn<T>(name: string, mostAtOnce: number, work: () => Promise<T>): Promise<T>;
  /** Wraps a whole call, for traces and metrics. */
  observe<T>(operation: Operation, caller: Caller, work: () => Promise<T>): Promise<T>;
};
