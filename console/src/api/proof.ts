// The server asks who is at the console before credentials or owners change. The person is asked once, and the call is made again.
import { ApiError } from './api-error.ts';

type AskPerson = () => Promise<boolean>;

let askPerson: AskPerson = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

/** Has `ask` ask the person, until the answer is called. It answers whether they proved who they are. */
export function askForProofBy(ask: AskPerson): () => void {
  askPerson = ask;
  return () => {
    askPerson = () => Promise.resolve(false);
  };
}

/** Whether the server asks who this is before it does something. */
export function isProofNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.problem.details?.['reason'] === 'proof_needed';
}

/** Has the person prove who they are. Calls that need it at the same time wait for one answer. */
export function getProof(): Promise<boolean> {
  asking ??= askPerson().finally(() => {
    asking = undefined;
  });
  return asking;
}
