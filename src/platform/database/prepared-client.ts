import { Client, DatabaseError, type ClientConfig } from 'pg';

/** Often enough to be worth a place in the memory of a connection. */
const oftenEnough = 5;
/** Lists of ids make many texts of one statement; those beyond the first so many are planned each time. */
const mostPrepared = 300;
const mostCounted = 1_000;

/** A conflict with a partial unique index cannot be planned before the values of its condition are known. */
const needsItsValues = /on conflict \([^)]*\) where [^;]*\$\d/i;

/**
 * A client that prepares the statements which return, so that PostgreSQL reads and plans them once for a connection: a
 * fifth of the time of a search. A connection whose statements a migration of another process has made invalid is closed.
 */
export class PreparedClient extends Client {
  /** The count of each statement, until it has a name, under which this connection prepares it. */
  readonly #seen = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #mayPrepare: boolean;

  /** `prepare: false` is for poolers that give the next transaction a connection without the statements of this one. */
  constructor(config?: ClientConfig & { prepare?: boolean }) {
    super(config);
    this.#mayPrepare = config?.prepare !== false;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- the driver's own overloads
  override query(...parameters: any[]): any {
    const [text, values] = parameters as unknown[];
    const mayName = this.#mayPrepare && typeof text === 'string' && Array.isArray(values);
    const name = mayName ? this.#nameOf(text) : undefined;
    const query = super.query as (...all: unknown[]) => unknown;
    if (!name) return query.call(this, ...parameters);
    const answer = query.call(this, { text, values, name }, ...parameters.slice(2));
    if (answer instanceof Promise) answer.catch((error: unknown) => this.#closeIfOutdated(error));
    return answer;
  }

  /** Undefined while it is too rare. */
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= mostPrepared) return known;
    const count = (this.#seen.get(text) ?? 0) + 1;
    if (this.#seen.size >= mostCounted) this.#seen.clear();
    this.#seen.set(text, count);
    if (count < oftenEnough || needsItsValues.test(text)) return undefined;
    this.#seen.delete(text);
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  #closeIfOutdated(error: unknown): void {
    const isOutdated = error instanceof DatabaseError && error.code === '0A000' && /cached plan/.test(error.message);
    if (isOutdated) this.end(() => {});
  }
}
