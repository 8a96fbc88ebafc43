import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import * as firstSdk from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyRedirect, Browser, decide } from '../support/oauth.ts';
import { startOauthServer } from './support.ts';

type OauthServer = Awaited<ReturnType<typeof startOauthServer>>;
let server: OauthServer['server'];
let owner: OauthServer['owner'];
let database: OauthServer['database'];
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, owner, database, close } = await startOauthServer());
});
afterAll(() => close());

/** What a client of the SDK keeps, and a browser whose person presses Allow at once. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = anyRedirect;
  readonly clientMetadata = { client_name: 'SDK client', redirect_uris: [anyRedirect] };
  asked = 0;
  back: URLSearchParams | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #verifier = '';
  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: StoredOAuthClientInformation) {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  async redirectToAuthorization(address: URL) {
    this.asked += 1;
    this.back = (await decide(new Browser(server, owner), String(address))).searchParams;
  }
}

async function connectClient(person: Person, address: string): Promise<Client> {
  const url = new URL(address, server.url);
  const open = () => new StreamableHTTPClientTransport(url, { authProvider: person });
  const first = open();
  try {
    await new Client({ name: 'sdk', version: '1' }).connect(first);
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || !person.back) throw error;
    await first.finishAuth(person.back);
  }
  const client = new Client({ name: 'sdk', version: '1' });
  await client.connect(open());
  return client;
}

const search = { name: 'search_memory', arguments: { q: 'tide' } };
/** Every form of the address of one server: with a last slash, with a query, by another name of this machine, of one workspace. */
const forms = [
  '/mcp',
  '/',
  '/sse',
  '/mcp/',
  '/sse/',
  '/mcp?toolsets=all',
  '/mcp/?utm_source=x',
  '/mcp/w/{id}',
  '/mcp/w/{id}/',
];
const addresses = ['127.0.0.1', 'localhost'].flatMap((name) => forms.map((form) => `${name}${form}`));

async function buildUrl(address: string): Promise<string> {
  const { workspace } = await server.ok('who_am_i');
  const [, name = '', form = ''] = /^([^/]+)(.*)$/.exec(address) ?? [];
  return `${server.url.replace('127.0.0.1', name)}${form.replace('{id}', workspace.id)}`;
}

test.each(addresses)('a client of the SDK goes from the bare URL %s to a tool call', async (address) => {
  const client = await connectClient(new Person(), await buildUrl(address));
  const { isError, content } = await client.callTool(search);
  expect(isError, JSON.stringify(content)).toBeFalsy();
  await client.close();
});

test.each(addresses)('a client of the first SDK goes from the bare URL %s to a tool call', async (address) => {
  const [url, person] = [new URL(await buildUrl(address)), new Person()];
  const authProvider = person as unknown as firstSdk.OAuthClientProvider; // what it keeps has the SDK's own types
  const open = () => new FirstTransport(url, { authProvider });
  const first = open();
  await expect(new FirstClient({ name: 'sdk', version: '1' }).connect(first)).rejects.toThrow(
    firstSdk.UnauthorizedError,
  );
  await first.finishAuth(person.back?.get('code') ?? '');
  const client = new FirstClient({ name: 'sdk', version: '1' });
  await client.connect(open());
  expect((await client.callTool(search)).isError).toBeFalsy();
  await client.close();
});

test('a client whose access token was revoked gets the next one without a person', async () => {
  const person = new Person();
  const client = await connectClient(person, '/mcp');
  const before = person.tokens()?.access_token;
  await database.rows(`update oauth_tokens set expires_at = now() - interval '1 second' where kind = 'access'`);
  await expect
    .poll(
      () =>
        client.callTool({ name: 'search_memory', arguments: { q: 'tide' } }).then(() => person.tokens()?.access_token),
      { timeout: 10_000 },
    )
    .not.toBe(before);
  expect(person.asked).toBe(1);
  await client.close();
});
