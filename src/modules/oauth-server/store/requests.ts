// Rows without a workspace: each is visible only to a transaction that presents its hash.
import { presentHash } from '#platform/database';
import { sql, type Kysely } from 'kysely';

type Payload = Record<string, unknown>;
type RequestRow = {
  request_hash: string;
  user_code_hash: string | null;
  payload: Payload;
  expires_at: Date;
  used_at: Date | null;
};
type Tables = {
  oauth_requests: RequestRow;
  oauth_clients: { client_hash: string; payload: Payload; expires_at: Date };
};

type NewRequest = Pick<RequestRow, 'request_hash' | 'user_code_hash' | 'payload'>;

/** Stores a request, or its outcome. */
export async function putRequest(db: Kysely<Tables>, request: NewRequest, livesSeconds: number): Promise<void> {
  await presentHash(db, request.request_hash);
  const payload = sql<Payload>`${JSON.stringify(request.payload)}::jsonb`;
  await db
    .insertInto('oauth_requests')
    .values({ ...request, payload, expires_at: computeTimeInSeconds(livesSeconds), used_at: null })
    .onConflict((conflict) => conflict.column('request_hash').doUpdateSet({ payload }))
    .execute();
}

/**
 * Stores the answer to a device's request, in one statement: of concurrent answers the first is kept. False: it already
 * has one.
 */
export async function answerRequest(
  db: Kysely<Tables>,
  { hash, answer }: { hash: string; answer: Payload },
): Promise<boolean> {
  await presentHash(db, hash);
  const answered = await db
    .updateTable('oauth_requests')
    .set({ payload: sql`payload || ${JSON.stringify(answer)}::jsonb` })
    .where('request_hash', '=', hash)
    .where('used_at', 'is', null)
    .where(sql<boolean>`not payload ?| array['grantId', 'error']`)
    .returning('request_hash')
    .executeTakeFirst();
  return answered !== undefined;
}

/** A request by its own hash, or by that of the code that a person types. */
export async function findRequest(
  db: Kysely<Tables>,
  hash: string,
): Promise<Omit<RequestRow, 'user_code_hash'> | undefined> {
  await presentHash(db, hash);
  return db
    .selectFrom('oauth_requests')
    .select(['request_hash', 'payload', 'expires_at', 'used_at'])
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
}

/** Uses up a request, in one statement: of concurrent calls one gets true. */
export async function useRequest(db: Kysely<Tables>, hash: string): Promise<boolean> {
  await presentHash(db, hash);
  const used = await db
    .updateTable('oauth_requests')
    .set({ used_at: sql`clock_timestamp()` })
    .where('request_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('request_hash')
    .executeTakeFirst();
  return used !== undefined;
}

export async function dropRequest(db: Kysely<Tables>, hash: string): Promise<void> {
  await presentHash(db, hash);
  await db.deleteFrom('oauth_requests').where('request_hash', '=', hash).execute();
}

export async function findClient(db: Kysely<Tables>, hash: string): Promise<Payload | undefined> {
  await presentHash(db, hash);
  const row = await db
    .selectFrom('oauth_clients')
    .select('payload')
    .where('client_hash', '=', hash)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return row?.payload;
}

export async function putClient(
  db: Kysely<Tables>,
  client: { hash: string; payload: Payload },
  livesSeconds: number,
): Promise<void> {
  await presentHash(db, client.hash);
  const row = {
    payload: sql<Payload>`${JSON.stringify(client.payload)}::jsonb`,
    expires_at: computeTimeInSeconds(livesSeconds),
  };
  await db
    .insertInto('oauth_clients')
    .values({ client_hash: client.hash, ...row })
    .onConflict((conflict) => conflict.column('client_hash').doUpdateSet(row))
    .execute();
}

/** Extends the storage of a client that is in use. */
export async function keepClient(db: Kysely<Tables>, hash: string, livesSeconds: number): Promise<void> {
  await presentHash(db, hash);
  await db
    .updateTable('oauth_clients')
    .set({ expires_at: computeTimeInSeconds(livesSeconds) })
    .where('client_hash', '=', hash)
    .where('expires_at', '<', computeTimeInSeconds(livesSeconds / 2))
    .execute();
}

/** Deletes expired requests and clients. Row level security limits a deletion without conditions to these. */
export async function dropExpired(db: Kysely<Tables>): Promise<void> {
  await presentHash(db, '');
  await db.deleteFrom('oauth_requests').execute();
  await db.deleteFrom('oauth_clients').execute();
}

function computeTimeInSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + ${seconds} * interval '1 second'`;
}
