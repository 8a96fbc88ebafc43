// The caps on what a run uses of language models. Whatever reaches one writes it to the row of the run, and the process that executes the
// run reads it there (`running/run-lease.ts`): the run then ends.
import { AppError } from '#kernel/errors';

/** What the record of a run says when a cap of its automation ended it. */
const messages = {
  cost_cap: 'The daily cost cap is reached.',
  token_cap: 'The run has used all its tokens.',
} as const;

export type ModelCap = keyof typeof messages;
/** A cap that was reached, and the message for the record of the run. */
export type ReachedCap = { cap: ModelCap; message: string };

/** Whether a run is stopped for what it uses of models. */
export function isModelCap(reason: unknown): reason is ModelCap {
  return typeof reason === 'string' && reason in messages;
}

/** A cap of the automation itself. */
export function createReachedCap(cap: ModelCap): ReachedCap {
  return { cap, message: messages[cap] };
}

/** The error of a call that would pass a cap. */
export function createCapError({ cap, message }: ReachedCap): AppError {
  return new AppError('plan_limit', message, { cap });
}

/** The cap that an error is about, also one of a person or the workspace; null: it is about none. */
export function findReachedCap(error: unknown): ReachedCap | null {
  if (!(error instanceof AppError) || !isModelCap(error.details['cap'])) return null;
  return { cap: error.details['cap'], message: error.message };
}
