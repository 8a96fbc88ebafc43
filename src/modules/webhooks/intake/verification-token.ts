// Notion sends the secret itself, unsigned, when an address is subscribed. A connector without a secret stores it.
import type { Transactions } from '#kernel/database';
import { parseJson } from '#kernel/parse-json';
import type { Vault } from '#platform/vault';
import { getFieldAt } from '../body-fields.ts';
import { addVersion, findVersion, lockConnector, updateConnector } from '../store/connectors.ts';
import { insertEvent, type NewEvent } from '../store/new-events.ts';
import { sealSecret } from '../version-secret.ts';
import type { KnownConnector, KnownConnectors } from './known-connectors.ts';

type VerificationTokenDeps = { transactions: Transactions; vault: Vault; known: KnownConnectors; newId: () => string };

/**
 * Stores the token of a first request to a draft connector, and the event without the token. False: the connector
 * already has a secret.
 */
export async function takeVerificationToken(
  { transactions, vault, known, newId }: VerificationTokenDeps,
  { id, workspaceId, state, secret }: KnownConnector,
  token: string,
  event: NewEvent,
): Promise<boolean> {
  if (state !== 'draft' || secret !== null) return false;
  const isKept = await transactions.run(workspaceId, 'write', async (db) => {
    const connector = await lockConnector(db, id);
    const head = await findVersion(db, connector.head_version_id);
    if (connector.state !== 'draft' || head.secret !== null) return false;
    // The token replaces a variable, whose value nobody sees.
    const of = { secret_variable: null, created_by_label: 'Notion', created_at: event.received_at };
    const version = { ...head, ...of, id: newId() };
    const sealed = await sealSecret(vault, db, version, token);
    await addVersion(db, { ...version, secret: sealed });
    await updateConnector(db, id, { has_unread_secret: true });
    await insertEvent(db, event);
    return true;
  });
  known.forget(id);
  return isKept;
}

/** A request with a token contains little else. */
const mostBytes = 4_096;

/** The token in the body of a request from Notion; null if there is none. */
export function findVerificationToken({ signing }: Pick<KnownConnector, 'signing'>, body: Buffer): string | null {
  if (signing.provider !== 'notion' || body.length > mostBytes) return null;
  const token = getFieldAt(tryParseBody(body), 'verification_token');
  return typeof token === 'string' && /^[\w.-]{8,200}$/.test(token) ? token : null;
}

function tryParseBody(body: Buffer): unknown {
  try {
    return parseJson(body.toString());
  } catch {
    return null;
  }
}
