// The caller of a connector: its person, limited to the brains it may write to.
import { createCaller, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import type { ReadyConnector } from '#modules/ingest';
import type { ConnectorRow, VersionRow } from '../store/tables.ts';

/** The caller of a connector. Null: its person has left. */
export async function callerOf(db: Db, connector: ConnectorRow, version: VersionRow): Promise<Caller | null> {
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

/** The connector in the form of the ingest module: it stores without a person's name, and only in its brains. */
export function ingestConnectorOf(connector: ConnectorRow, version: VersionRow): ReadyConnector {
  const { id, workspace_id, person_id, name, created_at, updated_at } = connector;
  const allowed = [...new Set([version.brain_id, ...version.allowed_brain_ids])];
  return {
    id,
    workspace_id,
    person_id,
    name,
    source: 'webhook',
    kind: 'shared',
    brain_id: version.brain_id,
    config: {
      allowed_brain_ids: allowed,
      isListed: true,
      default_brain_id: version.brain_id,
      channel_mappings: {},
      server_url: null,
    },
    created_at,
    updated_at,
    person_name: name,
    routes: [],
  };
}
