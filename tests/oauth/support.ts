import { findFreePort } from '../support/free-port.ts';
import { signInOwner } from '../support/colleague.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { startTestServer } from '../support/server.ts';

/** A server whose public address is where it listens, and a browser session of its owner. */
export async function startOauthServer(settings: Record<string, string> = {}) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startTestServer({ PORT: String(port), THALAMUS_PUBLIC_URL: url, ...settings });
  const database = await openAsOwner(server.connectionString);
  const owner = await signInOwner(server, database);
  return {
    server,
    database,
    owner,
    async close() {
      await database.close();
      await server.close();
    },
  };
}
