import type { Rule } from '#kernel/rule';
import type { Scope } from '#kernel/scopes';
import { sql, type Kysely } from 'kysely';

/** One person's permission for one installation of a client. */
export type GrantRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  client_id: string;
  client_name: string;
  client_host: string | null;
  document_host: string | null;
  scopes: Scope[];
  resource: string;
  home_brain_id: string;
  reach: 'owner' | 'brain';
  toolsets: string[] | null;
  /** The rules that restrict the workspace's policy for it. */
  rules: Rule[];
  created_at: Date;
  connected_at: Date | null;
  last_used_at: Date | null;
  expires_at: Date | null;
  paused_at: Date | null;
  ended_at: Date | null;
  end_reason: EndReason | null;
};
export type EndReason = 'person' | 'client' | 'reuse';

type Tables = {
  oauth_grants: GrantRow;
  oauth_tokens: { grant_id: string; kind: string };
  people_directory: { id: string; name: string };
  oauth_grant_places: PlaceRow;
};
type PlaceRow = { grant_id: string; workspace_id: string; place: string; first_used_at: Date };

export type NewGrant = Omit<GrantRow, 'connected_at' | 'last_used_at' | 'paused_at' | 'ended_at' | 'end_reason'>;

export async function insertGrant(db: Kysely<Tables>, grant: NewGrant): Promise<void> {
  const state = { connected_at: null, last_used_at: null, paused_at: null, ended_at: null, end_reason: null };
  await db
    .insertInto('oauth_grants')
    .values({ ...grant, ...state, rules: sql`${JSON.stringify(grant.rules)}::jsonb` })
    .execute();
}

/** A grant, in any state. */
export async function findGrant(db: Kysely<Tables>, id: string): Promise<GrantRow | undefined> {
  return db.selectFrom('oauth_grants').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a person ever allowed a client, also when it is disconnected now. */
export async function wasConnected(
  db: Kysely<Tables>,
  { personId, clientId }: { personId: string; clientId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('oauth_grants')
    .select('id')
    .where('person_id', '=', personId)
    .where('client_id', '=', clientId)
    .where('connected_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps others from using the grant's tokens until the transaction ends. */
export async function lockGrant(db: Kysely<Tables>, id: string): Promise<void> {
  await db.selectFrom('oauth_grants').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Whether a grant is valid at this time; locks it until the transaction ends. */
export async function lockGrantInForce(db: Kysely<Tables>, id: string, at: Date): Promise<boolean> {
  const grant = await db
    .selectFrom('oauth_grants')
    .select(['ended_at', 'paused_at', 'expires_at'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return grant !== undefined && !grant.ended_at && !grant.paused_at && !(grant.expires_at && grant.expires_at <= at);
}

export async function markConnected(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db
    .updateTable('oauth_grants')
    .set({ connected_at: at })
    .where('id', '=', id)
    .where('connected_at', 'is', null)
    .execute();
}

export async function touchGrant(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('oauth_grants').set({ last_used_at: at }).where('id', '=', id).execute();
}

/** Ends a grant and deletes its tokens. False: it had ended before. */
export async function endGrant(
  db: Kysely<Tables>,
  { id, reason, at }: { id: string; reason: EndReason; at: Date },
): Promise<boolean> {
  const ended = await db
    .updateTable('oauth_grants')
    .set({ ended_at: at, end_reason: reason })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  await db.deleteFrom('oauth_tokens').where('grant_id', '=', id).execute();
  return ended !== undefined;
}

/** Ends every grant with this home brain. Returns how many were still valid. */
export async function endBrainGrants(db: Kysely<Tables>, brainId: string, at: Date): Promise<number> {
  const ended = await db
    .updateTable('oauth_grants')
    .set({ ended_at: at, end_reason: 'person' })
    .where('home_brain_id', '=', brainId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute();
  return ended.length;
}

/** Ends every grant of a person. */
export async function endGrantsOfPerson(db: Kysely<Tables>, personId: string, at: Date): Promise<void> {
  await db
    .updateTable('oauth_grants')
    .set({ ended_at: at, end_reason: 'person' })
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Stores the network of a client's use. Returns whether it is new for a client that was used elsewhere before. */
export async function notePlace(
  db: Kysely<Tables>,
  use: { grantId: string; workspaceId: string; place: string; at: Date },
): Promise<boolean> {
  const { grantId: grant_id, workspaceId: workspace_id, place, at: first_used_at } = use;
  const row = await db
    .insertInto('oauth_grant_places')
    .values({ grant_id, workspace_id, place, first_used_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('place')
    .executeTakeFirst();
  return row !== undefined && (await listGrantNetworks(db, [grant_id])).length > 1;
}

/** The networks that clients were used from, newest first. */
export async function listGrantNetworks(db: Kysely<Tables>, grantIds: readonly string[]): Promise<PlaceRow[]> {
  if (!grantIds.length) return [];
  return db
    .selectFrom('oauth_grant_places')
    .selectAll()
    .where('grant_id', 'in', grantIds)
    .orderBy('first_used_at', 'desc')
    .limit(2_000)
    .execute();
}

export type ConnectedClient = GrantRow & { person_name: string };

/** Clients that are connected at this time: a person's, or for null everybody's. Newest first. */
export async function listGrants(db: Kysely<Tables>, personId: string | null, at: Date): Promise<ConnectedClient[]> {
  return selectConnectedGrants(db, personId)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .orderBy('oauth_grants.created_at', 'desc')
    .limit(500)
    .execute();
}

/** Clients that were ended since a time because a refresh token was used twice: their people have to know. Newest first. */
export async function listReused(db: Kysely<Tables>, personId: string | null, since: Date): Promise<ConnectedClient[]> {
  return selectConnectedGrants(db, personId)
    .where('end_reason', '=', 'reuse')
    .where('ended_at', '>', since)
    .orderBy('ended_at', 'desc')
    .limit(50)
    .execute();
}

function selectConnectedGrants(db: Kysely<Tables>, personId: string | null) {
  return db
    .selectFrom('oauth_grants')
    .innerJoin('people_directory as people', 'people.id', 'oauth_grants.person_id')
    .selectAll('oauth_grants')
    .select('people.name as person_name')
    .where('connected_at', 'is not', null)
    .$if(personId !== null, (query) => query.where('person_id', '=', personId));
}

/** Those of the ids that are connected clients of the person, or for null of anybody. */
export async function locateGrants(
  db: Kysely<Tables>,
  ids: readonly string[],
  personId: string | null,
): Promise<string[]> {
  const rows = await db
    .selectFrom('oauth_grants')
    .select('id')
    .where('id', 'in', ids)
    .where('connected_at', 'is not', null)
    .where('ended_at', 'is', null)
    .$if(personId !== null, (query) => query.where('person_id', '=', personId))
    .execute();
  return rows.map((row) => row.id);
}

export type GrantNarrowing = Partial<Pick<GrantRow, 'scopes' | 'toolsets' | 'expires_at' | 'reach' | 'paused_at'>>;

export async function narrowGrant(db: Kysely<Tables>, id: string, narrowed: GrantNarrowing): Promise<void> {
  await db.updateTable('oauth_grants').set(narrowed).where('id', '=', id).execute();
}

/** Deletes grants that were never connected, and those that ended long ago. */
export async function dropOldGrants(
  db: Kysely<Tables>,
  { unusedSince, endedBefore }: { unusedSince: Date; endedBefore: Date },
): Promise<void> {
  await db
    .deleteFrom('oauth_grants')
    .where((eb) =>
      eb.or([
        eb.and([eb('connected_at', 'is', null), eb('created_at', '<', unusedSince)]),
        eb('ended_at', '<', endedBefore),
        eb('expires_at', '<', endedBefore),
      ]),
    )
    .execute();
}
