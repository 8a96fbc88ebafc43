import { isBinding } from '#platform/binding';
import { PreparedClient } from './prepared-client.ts';

const begins = /^\s*begin\b/i;
const ends = /^\s*(commit|rollback)\s*$/i;

/**
 * A client that sends no statement outside a transaction bound to the product's role. Otherwise a statement that is run
 * directly on the pool would have the rights of the login.
 */
export class BoundClient extends PreparedClient {
  #state: 'none' | 'begun' | 'bound' = 'none';

  // oxlint-disable-next-line typescript/no-explicit-any -- the driver's own overloads
  override query(...parameters: any[]): any {
    const text = getQueryText(parameters[0]);
    if (begins.test(text)) this.#begin(text);
    else if (ends.test(text)) this.#state = 'none';
    else if (this.#state === 'begun' && isBinding(text)) this.#state = 'bound';
    else if (this.#state !== 'bound') return refuse(parameters);
    const query = super.query as (...all: unknown[]) => unknown;
    return query.call(this, ...parameters);
  }

  /**
   * Statements of one turn of the event loop are sent together: BEGIN, the binding statement, and the first query. Each
   * write is a system call that wakes PostgreSQL.
   */
  #begin(text: string): void {
    this.#state = isBinding(text) ? 'bound' : 'begun';
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
}

function getQueryText(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}

function refuse(parameters: readonly unknown[]): unknown {
  const error = new Error('Statements of the product run only in a transaction that createTransactions has bound.');
  const callback = parameters.findLast((each) => typeof each === 'function');
  if (!callback) return Promise.reject(error);
  process.nextTick(() => (callback as (error: Error) => void)(error)); // the driver's overload with a callback
  return undefined;
}
