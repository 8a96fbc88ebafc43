// Answers that a transaction needs and that may take long, such as a search. No database connection is held while one
// is awaited: the transaction is rolled back, the answer awaited, and the transaction repeated with it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a transaction waits: most answers take a few milliseconds. */
const patienceMs = 50;
/** How long a caller waits before it gets the error that the answer is late. */
const longestMs = 8_000;

type PendingAnswer = { answer: Promise<unknown>; isLate: boolean };
const askedIn = new AsyncLocalStorage<Map<string, PendingAnswer>>();

/** Ends a transaction that will be repeated. Work that catches errors must rethrow it. */
class PostponedSignal extends Error {
  readonly asked: PendingAnswer;
  constructor(asked: PendingAnswer) {
    super('This transaction will be repeated when an awaited answer arrives.');
    this.asked = asked;
  }
}

/**
 * Requests an answer within a transaction. `key` identifies the question. Where the transaction may be repeated, a slow
 * answer ends it with `Postponed`. An answer that is still missing later fails with the error of `late`.
 */
export async function askOutside<T>(key: string, ask: () => Promise<T>, late: () => Error): Promise<T> {
  const questions = askedIn.getStore();
  if (!questions) return ask();
  const asked = questions.get(key) ?? { answer: ask(), isLate: false };
  asked.answer.catch(() => {}); // it may fail while nobody awaits it
  questions.set(key, asked);
  if (asked.isLate) throw late();
  if (!(await isAnswered(asked, patienceMs))) throw new PostponedSignal(asked);
  return asked.answer as Promise<T>; // the answer to this question
}

/** Runs a transaction, and repeats it after each awaited answer. */
export function repeatWithAnswers<T>(transaction: () => Promise<T>): Promise<T> {
  return askedIn.run(new Map(), async () => {
    for (;;) {
      try {
        return await transaction();
      } catch (error) {
        if (!(error instanceof PostponedSignal)) throw error;
        error.asked.isLate = !(await isAnswered(error.asked, longestMs));
      }
    }
  });
}

async function isAnswered({ answer }: PendingAnswer, withinMs: number): Promise<boolean> {
  const timeout = new AbortController();
  const whenAnswered = answer.then(
    () => true,
    () => true,
  );
  const isTooLate = sleep(withinMs, false, { signal: timeout.signal }).catch(() => false);
  return Promise.race([whenAnswered, isTooLate]).finally(() => timeout.abort());
}
