// The login with which the server serves calls. It owns nothing, and has no right but to act as the role of product work.
import { appRole } from '#platform/binding';
import { Client, DatabaseError, escapeIdentifier } from 'pg';
import { buildAppConnection, buildOwnerConnection, type Connection } from './connect.ts';

/** The login of the server in the embedded database, where no password is asked: only its account reaches the socket. */
export const embeddedLogin = 'thalamus_server';

/** What a login may do beside serving calls. */
export type LoginReport = { name: string; isSuperuser: boolean; ownsTables: boolean };

/** Looks who logs in with a connection. */
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
 * Lets the server's login act as the role of product work. In the embedded database the login is made first. Throws
 * with what the operator has to run when the owner may not.
 */
export async function admitLogin({ connection, owner }: { connection: Connection; owner: Connection }): Promise<void> {
  if (connection === owner) return; // the owner was admitted by the first migration
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
  client.on('error', () => {}); // a query that runs fails by itself
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
