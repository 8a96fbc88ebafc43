// The caller of a connector's token: a connector has the roles of its creator, and its token is only for ingest.
import { createCaller, type Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { findPerson, type Credentials } from '#modules/accounts';
import { enterWorkspace } from '#platform/database';
import { findConnector } from './store/connectors.ts';
import { findTokenByHash, touchToken } from './store/tokens.ts';

/** Tokens of connectors, as credentials that callers present. */
export const connectorTokens: NonNullable<Credentials['webhook']> = { find: findCaller, touch: touchToken };

async function findCaller(db: Db, hash: string): Promise<Caller> {
  const token = await findTokenByHash(db, hash);
  if (!token) throw createUnknownError();
  await enterWorkspace(db, token.workspace_id);
  const connector = await findConnector(db, token.id);
  if (!connector) throw createUnknownError();
  const person = await findPerson(db, connector.person_id);
  if (!person) throw new AppError('unauthenticated', 'The account behind this credential was deleted.');
  return createCaller({
    kind: 'webhook',
    id: connector.id,
    label: connector.name,
    workspaceId: connector.workspace_id,
    personId: connector.person_id,
    role: person.role,
    scopes: new Set(['ingest:write']),
    homeBrainId: connector.brain_id,
  });
}

function createUnknownError(): AppError {
  return new AppError(
    'unauthenticated',
    'There is no such webhook token. Check that it was copied whole, and that its connector still exists.',
  );
}
