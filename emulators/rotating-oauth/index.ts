// A certified OAuth server of another project (panva/oidc-provider) instead of Google: it rotates refresh tokens, and ends
// the whole family of a grant when one is used twice.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Configuration } from 'oidc-provider';

export type RotatingOAuth = {
  url: string;
  client: { id: string; secret: string };
  /** How many refreshes reached it, how many succeeded, and how many grants it ended for a token that was used twice. */
  counts: { refreshes: number; refreshed: number; revokedFamilies: number };
  /** Every request that reached it. */
  requests: { path: string; headers: IncomingMessage['headers'] }[];
  /** Goes through its pages as a person would; answers what the browser is sent back with. */
  approve(authorizationUrl: string, login: string): Promise<{ code: string; state: string }>;
  /**
   * Holds the next refresh: `before` it is read, so that it is lost with its sender, or `after` it took effect and before it is answered. `reached`
   * resolves when one is held.
   */
  pause(when: 'before' | 'after'): { reached: Promise<void>; release(): void };
  close(): Promise<void>;
};

const client = { id: 'rotating', secret: 'a-secret-of-32-characters-or-more' };

/** Whose routes it has, so that the base URL is all that has to be set, and which scopes it knows. */
const places = {
  google: { authorization: '/o/oauth2/v2/auth', token: '/token', scopes: ['openid', 'email', 'offline_access'] },
  hubspot: {
    authorization: '/oauth/authorize',
    token: '/oauth/v1/token',
    scopes: ['oauth', 'crm.objects.contacts.read'],
  },
};
type PlaceOf = keyof typeof places;

function createConfiguration(redirectUri: string, { scopes, ...routes }: (typeof places)[PlaceOf]): Configuration {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_post',
        application_type: 'native',
      },
    ],
    routes: { ...routes, userinfo: '/oauth2/v2/userinfo', revocation: '/revoke' },
    features: { revocation: { enabled: true }, devInteractions: { enabled: true } },
    claims: { openid: ['sub'], email: ['email'] },
    scopes,
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id, email: `${id}@example.com` }) }),
    ttl: { AccessToken: 3600, RefreshToken: 86_400, Grant: 86_400, Session: 86_400, Interaction: 3600, IdToken: 3600 },
    cookies: { keys: ['only for tests'] },
  };
}

export async function startRotatingOAuth(redirectUri: string, of: PlaceOf = 'google'): Promise<RotatingOAuth> {
  const place = places[of];
  const counts = { refreshes: 0, refreshed: 0, revokedFamilies: 0 };
  let paused: { when: 'before' | 'after'; arrive: () => void; released: Promise<void> } | null = null;
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const requests: RotatingOAuth['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers });
    handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening TCP server has one
  const provider = new Provider(url, createConfiguration(redirectUri, place));
  provider.on('grant.revoked', () => (counts.revokedFamilies += 1));
  provider.use(async (ctx, next) => {
    if (ctx.path !== place.token) return next();
    const isRefresh = () => ctx.oidc?.params?.['grant_type'] === 'refresh_token';
    const pause = paused;
    if (pause?.when === 'before') {
      pause.arrive();
      await pause.released;
      // The client has disconnected, so its request counts as lost.
      if (ctx.req.socket.destroyed) {
        ctx.respond = false;
        return;
      }
    }
    await next();
    if (!isRefresh()) return;
    counts.refreshes += 1;
    if (ctx.status === 200) counts.refreshed += 1;
    if (pause?.when === 'after') {
      pause.arrive();
      await pause.released;
    }
  });
  handle = provider.callback();
  return {
    url,
    client,
    counts,
    requests,
    approve: (authorizationUrl, login) => approve(authorizationUrl, login, redirectUri),
    pause(when) {
      let arrive = () => {};
      let release = () => {};
      const reached = new Promise<void>((resolve) => (arrive = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      paused = { when, arrive, released };
      return {
        reached,
        release() {
          paused = null;
          release();
        },
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Signs in and agrees, form by form, with a browser's patience for redirects and cookies. */
async function approve(start: string, login: string, redirectUri: string): Promise<{ code: string; state: string }> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: Record<string, string> | null = null;
  for (let step = 0; step < 20; step += 1) {
    const answer: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const each of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = each.split(';')[0]?.split(/=(.*)/s) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location?.startsWith(redirectUri)) {
      const { code = '', state = '' } = Object.fromEntries(new URL(location).searchParams);
      return { code, state };
    }
    if (location) {
      [url, form] = [new URL(location, url).href, null];
      continue;
    }
    const page = await answer.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (!action || !prompt) throw new Error(`the OAuth server answered ${answer.status}: ${page.slice(0, 300)}`);
    [url, form] = [new URL(action, url).href, { prompt, login, password: 'any' }];
  }
  throw new Error('the consent pages go in circles');
}
