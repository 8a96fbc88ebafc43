import type { Db, Transactions } from '#kernel/database';
import type { Egress } from '#platform/egress';
import type { Jobs } from '#platform/jobs';
import type { Log } from '#platform/log';
import type { Vault } from '#platform/vault';

/** The dependencies of sending deliveries. */
export type DeliveryDeps = {
  transactions: Transactions;
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  egress: Egress;
  vault: Vault;
  jobs: Jobs;
  canMail: boolean;
  publicUrl: string;
  log: Log;
  count(destinationId: string, outcome: string): void;
  now: () => Date;
  newId: () => string;
  random: () => number;
};
