// One request to the authorization server, and its transaction, if it has one.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from '#kernel/database';

export type Unit = {
  db: Db;
  /** The refresh token that is being exchanged: new tokens derive from it. */
  parent: string | null;
  /** The code that was redeemed. */
  code: string | null;
};

const units = new AsyncLocalStorage<Unit>();

/** Runs a request in one transaction: everything that it stores is kept, or nothing. */
export function runAsUnit<T>(db: Db, work: (unit: Unit) => Promise<T>): Promise<T> {
  const unit: Unit = { db, parent: null, code: null };
  return units.run(unit, () => work(unit));
}

/** The current request; undefined: it has no transaction of its own. */
export function getCurrentUnit(): Unit | undefined {
  return units.getStore();
}
