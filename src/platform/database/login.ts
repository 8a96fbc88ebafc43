// The login with which the server serves calls. It owns nothing, and may only act as the product's role.
import { appRole } from '#platform/binding';
import { Client, DatabaseError, escapeIdentifier } from 'pg';
import { buildAppConnection, buildOwnerConnection, type Connection } from './connect.ts';

/** The server's login in the embedded database. It has no password: only its account reaches the socket. */
export const embeddedLogin = 'thalamus_server';

/** What a login may do in addition to serving calls. */
export type LoginReport = { name: string; isSuperuser: boolean; ownsTables: boolean };

/** Finds out who is logged in on a connection. */
export async function describeLogin(connection: Connection): Promise<LoginReport> {
  return withClient(buildAppConnection(connection), async (client) => {
    const { rows } = await client.query<LoginReport>(
      `select session_user as name, rolsuper as "isSuperuser", exists (
          select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_has_role(rolname, relowner, 'usage')
        ) as "ownsTables"
         from pg_roles where rolname = session_user`,
    );
    return rows[0]!; // the login is a role
  });
}

/**
 * Lets the server's login act as the product's role. In the embedded database it creates the login first. Throws an
 * error that says what the operator must run when the owner may not grant it.
 */
export async function admitLogin({ connection, owner }: { connection: Connection; owner: Connection }): Promise<void> {
  if (connection === owner) return; // the first migration granted this to the owner
  await withClient(buildOwnerConnection(owner), async (client) => {
    if (connection.user === embeddedLogin) await makeLogin(client);
    const name = connection.user === embeddedLogin ? embeddedLogin : (await describeLogin(connection)).name;
    const { rows } = await client.query<{ is_admitted: boolean }>('select pg_has_role($1, $2, $3) as is_admitted', [
      name,
      appRole,
      'set',
    ]);
    if (rows[0]?.is_admitted) return;
    const grant = `grant ${appRole} to ${escapeIdentifier(name)} with inherit false, set true`;
    await client.query(grant).catch((cause: unknown) => {
      throw new Error(
        `The login ${name} of DATABASE_URL may not act as the role ${appRole}. Run as a superuser: ${grant};`,
        { cause },
      );
    });
  });
}

/** Several processes may start at once. */
async function makeLogin(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [embeddedLogin]);
  if (rowCount) return;
  await client.query(`create role ${embeddedLogin} login noinherit`).catch((error: unknown) => {
    const isThere = error instanceof DatabaseError && /^(42710|23505)$/.test(error.code ?? '');
    if (!isThere) throw error;
  });
}

async function withClient<T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(connection);
  client.on('error', () => {}); // a query that runs concurrently fails by itself
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
