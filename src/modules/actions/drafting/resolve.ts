// Drafting, step one: the request is checked against the schema of its action. The payload is parsed here, and nowhere
// later.
import type { Action } from '#kernel/action';
import type { Face } from '#kernel/context';
import { parsePayload, type Payload } from '#kernel/parse-payload';
import type { RetainedFile } from '#modules/pages';

export type DraftRequest = {
  action: Action;
  payload: unknown;
  /**
   * The sending account, and its link of the caller's credential chain; without an id, a placeholder for the account.
   */
  connection: { id: string | null; account: string; link?: string };
  batchId: string | null;
  /** Where the person gets the prompt: `inbox`, `telegram`. */
  notify: readonly string[];
  /** Files to send, whose bytes are stored until then; the payload has the hash of each. */
  files?: readonly RetainedFile[];
  /** How long it waits for approval; an hour by default. */
  expiresInMinutes?: number;
  /** The owner of the draft and where it was drafted; default: the caller's, unless they decide as a delegate. */
  owner?: { personId: string; brainId: string | null };
  /** The draft that it sends again. */
  followsId?: string;
};

/**
 * A request whose payload fits its action. It is plain data, because it is kept between two transactions during the
 * provider's look-up.
 */
export type Effect = Omit<DraftRequest, 'action' | 'payload'> & { source: string; action: string; payload: Payload };

/** Throws `invalid_input` that names each field. */
export function resolveEffect({ action, payload, ...request }: DraftRequest, face: Face): Effect {
  return { ...request, source: action.source, action: action.name, payload: parsePayload(action, payload, face) };
}
