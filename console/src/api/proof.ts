// The server requires a proof of the person before credentials or owners change. The person is asked once, and the call
// is retried.
import { ApiError } from './api-error.ts';

type AskPerson = () => Promise<boolean>;

let askPerson: AskPerson = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

/**
 * Registers the dialog that asks the person, until the returned function is called. `ask` returns whether they proved
 * who they are.
 */
export function registerProofDialog(ask: AskPerson): () => void {
  askPerson = ask;
  return () => {
    askPerson = () => Promise.resolve(false);
  };
}

/** Whether the server requires proof of the person. */
export function isProofNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.problem.details?.['reason'] === 'proof_needed';
}

/** Asks the person for proof. Concurrent calls share one dialog. */
export function getProof(): Promise<boolean> {
  asking ??= askPerson().finally(() => {
    asking = undefined;
  });
  return asking;
}
