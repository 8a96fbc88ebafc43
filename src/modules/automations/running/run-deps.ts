import type { Calls } from '#kernel/calls';
import type { Db, Transactions } from '#kernel/database';
import type { EmitEvent } from '#kernel/event';
import type { Log } from '#platform/log';
import type { Sandbox } from '#platform/sandbox';
import type { Vault } from '#platform/vault';

/** The dependencies of runs. */
export type RunDeps = {
  transactions: Transactions;
  sandbox: Sandbox;
  calls: Calls;
  vault: Vault;
  emitEvent: EmitEvent;
  log: Log;
  /** Counts a run that ended. */
  count(run: { trigger: string; outcome: string }): void;
  now: () => Date;
  newId: () => string;
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
};
