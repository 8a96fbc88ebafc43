// A client that connects by OAuth, and a browser in which its person presses Allow, both by plain HTTP.
import { createHash, randomBytes } from 'node:crypto';
import { findSeenProof } from './seen-proofs.ts';

type Server = { url: string };
/** A person who signed in. */
export type Session = { cookie: string; proof: string };
type RegisteredClient = { client_id: string; client_secret?: string };
export type Tokens = {
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
  token_type: string;
};

/** What a client keeps to itself between asking and redeeming. */
export type Pkce = { verifier: string; challenge: string };

export function createPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Registers a client. Throws unless that is answered with 201. */
export async function register(server: Server, metadata: Record<string, unknown> = {}): Promise<RegisteredClient> {
  const response = await postJson(server, '/oauth/register', {
    redirect_uris: [anyRedirect],
    client_name: 'Test client',
    ...metadata,
  });
  const body = (await response.json()) as RegisteredClient;
  if (response.status !== 201) throw new Error(`registering answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}

export const anyRedirect = 'http://127.0.0.1:3334/callback';

export function postJson(server: Server, path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

export function postForm(
  server: Server,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
}

let browsers = 0;

/** A browser behind an address of its own: it keeps cookies with their paths, and follows nothing by itself. */
export class Browser {
  readonly #address = `203.0.113.${(browsers += 1) % 256}`;
  readonly #cookies = new Map<string, { value: string; path: string }>();
  readonly #origin: string;

  /** The second secret of its session, which the script of our pages fills into their forms. */
  #proof: string;

  constructor({ url }: Server, session?: Session) {
    this.#origin = url;
    this.#proof = session?.proof ?? '';
    const [name = '', value = ''] = session?.cookie.split(/=(.*)/s) ?? [];
    if (name) this.#cookies.set(name, { value, path: '/' });
  }

  /** Gives the script of our pages the proof of a session, as a sign-in does. */
  become({ proof }: Session): void {
    this.#proof = proof;
  }

  async get(address: string): Promise<Response> {
    return this.#send(address, {});
  }

  async post(address: string, fields: [string, string][], headers: Record<string, string> = {}): Promise<Response> {
    const filled = fields.map(([name, value]): Field => [name, name === 'session_proof' ? this.#proof : value]);
    return this.#send(address, {
      method: 'POST',
      body: new URLSearchParams(filled),
      headers: { origin: this.#origin, 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  async #send(address: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const { pathname, search } = new URL(address, this.#origin); // the public address may be another one of the same server
    const url = new URL(`${pathname}${search}`, this.#origin);
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { 'x-forwarded-for': this.#address, ...init.headers, ...(cookie && { cookie }) },
    });
    this.take(response);
    return response;
  }

  /** Keeps the cookies of an answer. */
  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
      if (value) this.#cookies.set(name, { value, path });
      else this.#cookies.delete(name);
    }
  }
}

/** The address of a request to connect. */
export function authorizeUrl(
  server: Server,
  { client_id }: RegisteredClient,
  { challenge }: Pkce,
  params: Record<string, string> = {},
): string {
  const query = {
    response_type: 'code',
    client_id,
    redirect_uri: anyRedirect,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    resource: `${server.url}/mcp`,
    ...params,
  };
  const sent = Object.entries(query).filter(([, value]) => value !== '');
  return `${server.url}/oauth/authorize?${new URLSearchParams(sent)}`;
}

type Field = [name: string, value: string];

/** What the form of a page would send as it stands. */
export function listFormFields(page: string): Field[] {
  const unescape = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  const inputs = [...page.matchAll(/<input\s([^>]*)>/gs)].flatMap(([, attributes = '']): Field[] => {
    const read = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1];
    if (read('type') === 'checkbox' && !/\schecked\b/.test(attributes)) return [];
    return [[read('name') ?? '', unescape(read('value') ?? '')]];
  });
  const selects = [...page.matchAll(/<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name = '', inside = '']): Field => {
      const options = [...inside.matchAll(/<option value="([^"]*)"([^>]*)>/gs)];
      const chosen = options.find(([, , rest = '']) => rest.includes('selected')) ?? options[0];
      return [name, chosen?.[1] ?? ''];
    },
  );
  return [...inputs, ...selects];
}

/** Opens the page of a request, changes its form, and presses a button. Answers where the client is called back. */
export async function decide(
  browser: Browser,
  address: string,
  { answer = 'allow', change = (fields: Field[]) => fields } = {},
): Promise<URL> {
  const asked = await browser.get(address);
  const consent = asked.headers.get('location');
  if (!consent) throw new Error(`authorizing answered ${asked.status}: ${await asked.text()}`);
  const page = await (await browser.get(consent)).text();
  const sent = await browser.post(consent, [...change(listFormFields(page)), ['answer', answer]]);
  const text = await sent.text();
  const next = /content="0;url=([^"]+)"/.exec(text)?.[1];
  if (!next) throw new Error(`the form answered ${sent.status}: ${text}`);
  const back = (await browser.get(next)).headers.get('location');
  if (!back) throw new Error('the client was not called back');
  return new URL(back);
}

export function redeem(
  server: Server,
  { client_id, client_secret }: RegisteredClient,
  {
    code,
    verifier,
    redirect_uri = anyRedirect,
    ...more
  }: { code: string; verifier: string; redirect_uri?: string; resource?: string },
): Promise<Response> {
  return postForm(server, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id,
    ...(client_secret && { client_secret }),
    code,
    code_verifier: verifier,
    redirect_uri,
    ...more,
  });
}

export function refresh(
  server: Server,
  { client_id }: RegisteredClient,
  refresh_token: string,
  more: Record<string, string> = {},
): Promise<Response> {
  return postForm(server, '/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token, ...more });
}

export type ConnectedClientTokens = Tokens & { client: RegisteredClient };

/** Connects a client whole: it registers, a person allows it, and it redeems its code. `given` is the session of a person who signed in, or its cookie. */
export async function connect(
  server: Server,
  given: Session | string,
  {
    client,
    params = {},
    change = (fields: Field[]) => fields,
  }: { client?: RegisteredClient; params?: Record<string, string>; change?: (fields: Field[]) => Field[] } = {},
): Promise<ConnectedClientTokens> {
  const session = typeof given === 'string' ? { cookie: given, proof: findSeenProof(given) } : given;
  const registered = client ?? (await register(server));
  const pkce = createPkce();
  const back = await decide(new Browser(server, session), authorizeUrl(server, registered, pkce, params), { change });
  const code = back.searchParams.get('code');
  if (!code) throw new Error(`the client was called back with ${back}`);
  const response = await redeem(server, registered, {
    code,
    verifier: pkce.verifier,
    ...(params['redirect_uri'] !== undefined && { redirect_uri: params['redirect_uri'] }),
  });
  const tokens = (await response.json()) as Tokens;
  if (response.status !== 200) throw new Error(`redeeming answered ${response.status}: ${JSON.stringify(tokens)}`);
  return { ...tokens, client: registered };
}
