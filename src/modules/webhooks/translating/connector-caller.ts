// The caller of a connector: its person, limited to the brains it may write to.
import { createCaller, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import type { Sender } from '#modules/ingest';
import type { ConnectorRow, VersionRow } from '../store/tables.ts';

/** The caller of a connector. Null: its person has left. */
export async function buildConnectorCaller(
  db: Db,
  connector: ConnectorRow,
  version: VersionRow,
): Promise<Caller | null> {
  const person = await findPerson(db, connector.person_id);
  if (!person) return null;
  return createCaller({
    kind: 'webhook',
    id: connector.id,
    label: connector.name,
    workspaceId: connector.workspace_id,
    personId: connector.person_id,
    role: person.role,
    scopes: new Set(['ingest:write']),
    homeBrainId: version.brain_id,
  });
}

/** The connector as a sender of items: it stores in nobody's name, and only in its brains. */
export function describeSender({ brain_id, allowed_brain_ids }: VersionRow): Sender {
  return { platform: 'webhook', allowedBrainIds: [...new Set([brain_id, ...allowed_brain_ids])], storedBy: null };
}
