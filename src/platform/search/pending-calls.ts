// Calls that the search thread has not answered yet.
import { AppError } from '#kernel/errors';
import type { Request, Response } from './messages.ts';

const mostAttempts = 2;

export type PendingCall = {
  readonly request: Request;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: AppError) => void;
  attempts: number;
};

export type PendingCalls = {
  add(entry: PendingCall): void;
  isEmpty(): boolean;
  finish(response: Response): void;
  /** Fails the call that the thread cannot finish. */
  failStuck(number: number): void;
  /** Fails the calls that were tried often enough, and returns those to try again. */
  toRetry(cause: unknown): PendingCall[];
  failAll(cause: unknown): void;
};

export function createPendingCalls(): PendingCalls {
  const pending = new Map<number, PendingCall>();

  function take(number: number): PendingCall | undefined {
    const entry = pending.get(number);
    pending.delete(number);
    return entry;
  }

  return {
    add: (entry) => void pending.set(entry.request.number, entry),
    isEmpty: () => pending.size === 0,
    finish(response) {
      const entry = take(response.number);
      if (!entry) return;
      // the worker answers a call with that call's type of answer
      if ('answer' in response) entry.resolve(response.answer as never);
      else
        entry.reject(
          createSearchUnavailableError(Object.assign(new Error(response.failure.message), response.failure)),
        );
    },
    failStuck(number) {
      const message = 'This search took too long and was stopped. Use fewer and shorter words.';
      take(number)?.reject(new AppError('unavailable', message));
    },
    toRetry(cause) {
      const ended = [...pending.values()].filter(({ attempts }) => attempts >= mostAttempts);
      for (const { request } of ended) take(request.number)?.reject(createSearchUnavailableError(cause));
      return [...pending.values()];
    },
    failAll(cause) {
      for (const number of pending.keys()) take(number)?.reject(createSearchUnavailableError(cause));
    },
  };
}

export function createSearchUnavailableError(cause: unknown): AppError {
  return new AppError('unavailable', 'Search cannot answer now. Try again in a moment.', {}, { cause });
}
