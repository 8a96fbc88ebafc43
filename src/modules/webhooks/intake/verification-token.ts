// Notion sends the secret itself, unsigned, when an address is subscribed. A connector that has none yet keeps it.
import type { Transactions } from '#kernel/database';
import type { Vault } from '#platform/vault';
import { fieldAt } from '../fields-of-body.ts';
import { addVersion, findVersion, lockConnector, updateConnector } from '../store/connectors.ts';
import { insertEvent, type NewEvent } from '../store/new-events.ts';
import { sealSecret } from '../version-secret.ts';
import type { KnownConnector, KnownConnectors } from './known-connectors.ts';

type Doors = { transactions: Transactions; vault: Vault; known: KnownConnectors; newId: () => string };

/**
 * Stores the token of a first request to a draft connector, and the event without the token. False: no token, or the
 * connector already has a secret.
 */
export async function takeVerificationToken(
  { transactions, vault, known, newId }: Doors,
  { id, workspaceId, state, signing, secret }: KnownConnector,
  payload: unknown,
  event: NewEvent,
): Promise<boolean> {
  const token = verificationToken({ signing }, payload);
  if (token === null || state !== 'draft' || secret !== null) return false;
  const isKept = await transactions.run(workspaceId, 'write', async (db) => {
    const connector = await lockConnector(db, id);
    const head = await findVersion(db, connector.head_version_id);
    if (connector.state !== 'draft' || head.secret !== null) return false;
    // The token takes the place of a variable, whose value is shown to nobody.
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

/** The token in a request of Notion; null where there is none. */
export function verificationToken({ signing }: Pick<KnownConnector, 'signing'>, payload: unknown): string | null {
  const token = signing.provider === 'notion' ? fieldAt(payload, 'verification_token') : null;
  return typeof token === 'string' && /^[\w.-]{8,200}$/.test(token) ? token : null;
}
