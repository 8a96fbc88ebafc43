// People of a workspace as they sign in: each in a browser of their own, which is a human surface.
import { proofHeader, readSession } from './google.ts';
import type { OwnerDatabase } from './owner-database.ts';
import type { Answer, ReachedServer } from './server.ts';

/** Somebody who has signed in. */
export type SignedIn = {
  cookie: string;
  proof: string;
  /** What the console sends with every call. */
  headers: Record<string, string>;
  personId: string;
  call(operation: string, input?: unknown): Promise<Answer>;
  /** As `call`, but throws unless the answer is 200. */
  ok(operation: string, input?: unknown): Promise<Record<string, unknown>>;
};

/** Invites an address and joins by the link; answers them, signed in. */
export async function joinAs(server: ReachedServer, database: OwnerDatabase, email: string): Promise<SignedIn> {
  const { brain_id } = await server.ok('create_brain', { name: `With ${email}` });
  const { join_link } = await server.ok('invite_member', { brain_id, email, access_level: 'viewer' });
  return enter(server, database, (join_link as { url: string }).url);
}

/** Signs the owner in, as by a link that was mailed to them. */
export async function signInOwner(server: ReachedServer, database: OwnerDatabase): Promise<SignedIn> {
  return enter(server, database, String((await server.ok('create_sign_in_link'))['url']));
}

/** Opens a sign-in link as a person at the console. */
export async function enter(server: ReachedServer, database: OwnerDatabase, url: string): Promise<SignedIn> {
  const headers = { 'content-type': 'application/json', origin: server.url };
  const body = JSON.stringify({ token: new URL(url).hash.slice(1) });
  const response = await server.request('/auth/sign-in', { method: 'POST', headers, body });
  const { cookie, proof } = await readSession(response);
  const own = { origin: server.url, cookie, [proofHeader]: proof };
  // The link came from a key, whose sessions are none; that of a mail would be one.
  await database.rows('update sessions set is_human_surface = true, proved_at = coalesce(proved_at, created_at)');
  const call: SignedIn['call'] = async (operation, input = {}) => {
    const answer = await server.request(`/v1/tools/${operation}`, {
      method: 'POST',
      headers: { ...headers, ...own },
      body: JSON.stringify(input),
    });
    const said = (await answer.json()) as Record<string, unknown>; // an answer or a problem; both are objects
    return { status: answer.status, body: said, headers: answer.headers };
  };
  const ok: SignedIn['ok'] = async (operation, input) => {
    const { status, body: said } = await call(operation, input);
    if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(said)}`);
    return said;
  };
  const { person } = await ok('who_am_i');
  return { cookie, proof, headers: own, personId: (person as { id: string }).id, call, ok };
}
