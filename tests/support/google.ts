// Links a Google account of the emulator to the owner, the way a person does it in the browser.
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { startTestServer, type ReachedServer, type TestServer } from './server.ts';

/** A browser that is signed in as the owner: calls operations with the session's cookie and its proof. */
export type Browser = {
  ok(operation: string, input?: unknown): Promise<Record<string, unknown>>;
  cookie: string;
  proof: string;
  /** What the console sends with every call. */
  headers: Record<string, string>;
};

/** A server whose Google is the emulator. `settings` are further environment variables. */
export async function startServerWithGoogle(
  settings: Record<string, string> = {},
  options: Parameters<typeof startGoogleEmulator>[0] = {},
): Promise<{ server: TestServer; google: GoogleEmulator; close(): Promise<void> }> {
  const google = await startGoogleEmulator(options);
  const server = await startTestServer({ ...buildGoogleSettings(google), ...settings });
  const close = async () => {
    await server.close();
    await google.close();
  };
  return { server, google, close };
}

/** The settings of a server whose Google is the emulator. */
export function buildGoogleSettings(google: GoogleEmulator): Record<string, string> {
  return {
    THALAMUS_GOOGLE_BASE_URL: google.url,
    THALAMUS_EGRESS_ALLOW: google.url,
    THALAMUS_GOOGLE_CLIENT_ID: google.client.id,
    THALAMUS_GOOGLE_CLIENT_SECRET: google.client.secret,
  };
}

/** Signs the owner in by a link, as the console does. */
export async function signIn(server: ReachedServer): Promise<Browser> {
  const { url } = await server.ok('create_sign_in_link');
  return signInWith(server, String(url));
}

/** Signs in by a link that is there. */
export async function signInWith(server: ReachedServer, link: string): Promise<Browser> {
  const token = new URL(link).hash.slice(1);
  const origin = server.url;
  const headers = { 'content-type': 'application/json', origin };
  const response = await server.request('/auth/sign-in', { method: 'POST', headers, body: JSON.stringify({ token }) });
  const { cookie, proof } = await readSession(response);
  const own = { origin, cookie, [proofHeader]: proof };
  return {
    cookie,
    proof,
    headers: own,
    async ok(operation, input = {}) {
      const answer = await server.request(`/v1/tools/${operation}`, {
        method: 'POST',
        headers: { ...headers, ...own },
        body: JSON.stringify(input),
      });
      const body = (await answer.json()) as Record<string, unknown>; // an answer or a problem; both are objects
      if (answer.status !== 200) throw new Error(`${operation} answered ${answer.status}: ${JSON.stringify(body)}`);
      return body;
    },
  };
}

/** The header with the second secret of a session. */
export const proofHeader = 'thalamus-session-proof';

/** The session that an answer to a sign-in opened: its cookie, and the proof that a page of the console keeps. */
export async function readSession(response: Response): Promise<{ cookie: string; proof: string }> {
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  const text = await response.text();
  if (!cookie) throw new Error(`signing in answered ${response.status}: ${text}`);
  return { cookie, proof: String((JSON.parse(text) as { session_proof: unknown }).session_proof) };
}

/** What the console sends with every call in that session. */
export function buildSessionHeaders({ cookie, proof }: { cookie: string; proof: string }): Record<string, string> {
  return { cookie, [proofHeader]: proof };
}

/**
 * Follows a browser that a provider sent back: the console exchanges the code in the fragment for the proof of the session,
 * and goes on to the page of `back`. Without a session it stays at the page that it was sent to.
 */
export async function followToConsole(
  server: ReachedServer,
  response: Response,
): Promise<{ location: string | null; session: Record<string, string> | undefined }> {
  const location = response.headers.get('location');
  const cookie = /thalamus_session=ts_[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0];
  if (cookie === undefined) return { location, session: undefined };
  const { hash, searchParams } = new URL(location ?? '', server.url);
  const headers = { 'content-type': 'application/json', origin: server.url, cookie };
  const body = JSON.stringify({ code: hash.slice(1) });
  const answer = await server.request('/auth/session-proof', { method: 'POST', headers, body });
  const { session_proof: proof } = (await answer.json()) as { session_proof: string };
  return { location: searchParams.get('back'), session: buildSessionHeaders({ cookie, proof }) };
}

export type LinkOptions = {
  /** Default: ada@example.com, who is added when she is not there. */
  email?: string;
  /** The sources for which consent is requested, in order. */
  sources?: readonly ('gmail' | 'calendar' | 'drive')[];
  /** Scopes the person leaves ticked; all of them by default. */
  only?: string[];
  access?: 'read' | 'act';
  browser?: Browser;
};

/** Links an account through the consent page. Answers the connection's id, the account, and the browser that did it. */
export async function linkGoogle(server: ReachedServer, google: GoogleEmulator, linking: LinkOptions = {}) {
  const { email = 'ada@example.com', sources = ['gmail', 'calendar', 'drive'], only, access = 'act' } = linking;
  const browser = linking.browser ?? (await signIn(server));
  let connectionId = '';
  for (const source of sources) {
    const { authorization_url } = await browser.ok('start_oauth', { provider: 'google', source, access });
    const target = await google.approve(String(authorization_url), { email, ...(only && { only }) });
    const { code, state } = Object.fromEntries(new URL(target).searchParams);
    const linked = await browser.ok('finish_oauth', { code, state });
    connectionId = String(linked['connection_id']);
  }
  return { connectionId, account: email, browser };
}
