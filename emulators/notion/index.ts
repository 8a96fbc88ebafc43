// A strict, stateful emulator of Notion's API and OAuth, on one origin. See README.md.
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { RichText } from './content.ts';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import { exchangeToken, createStandardError } from '../kit/oauth/endpoints.ts';
import { createFlow } from '../kit/oauth/flow.ts';
import type { Flow } from '../kit/oauth/flow.ts';
import { addClient, loopback, revokeFamily, revokeGrant } from '../kit/oauth/store.ts';
import type { Client, ClientInput } from '../kit/oauth/store.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { Quota, QuotaMeter } from '../kit/quota.ts';
import { findRoute } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { findBearerToken } from '../kit/wire.ts';
import type { IncomingRequest, Reply } from '../kit/wire.ts';
import { toRichText, readBlocks, readProperties } from './content.ts';
import type { Property, Schema } from './content.ts';
import { createValidationError, createNotionError } from './errors.ts';
import { buildNotionUser } from './resources.ts';
import { notionRoutes } from './routes.ts';
import { checkQuery, parseJsonBody, versions } from './routing.ts';
import type { Caller } from './routing.ts';
import { createWorld, insertBlocks, insertPage, createParagraph, getSchema, stamp, getNotionUser } from './state.ts';
import type { Block, Comment, Database, NotionWorld, Page, Parent, User } from './state.ts';

/** How the emulator starts. */
export type NotionEmulatorOptions = EmulatorOptions & {
  /** Requests per integration; 30 in 10 seconds by default, which is three a second. */
  quota?: Quota;
  /** The delay in seconds until search finds new items. Default: 60. */
  searchLagSeconds?: number;
};

/** What `seedPage` takes: a title and paragraphs; `in` is a page or a database. */
export type SeedPage = {
  title: string;
  by: string;
  in?: Page | Database;
  text?: string[];
  /** As a client would write them. */
  properties?: Record<string, unknown>;
  /** Values that Notion makes by itself, as the API shows them, such as rollups. */
  computed?: Record<string, Property>;
  at?: Date;
};

/** A running emulator; users are named by name, email or id. */
export type NotionEmulator = Emulator & {
  /** A public integration; redirect URIs on the loopback are allowed. */
  client: Client;
  addClient(client: ClientInput): Client;
  addUser(user: { name: string; email?: string }): User;
  addDatabase(database: { title: string; schema: Schema; in?: Page }): Database;
  seedPage(page: SeedPage): Page;
  /** Adds blocks, as a client would write them, below a page or a block; people nest them as deep as they like. */
  seedBlocks(parentId: string, blocks: unknown[]): Block[];
  /** Changes a page as somebody in the app would. */
  touchPage(id: string, change: { title?: string; inTrash?: boolean }): void;
  /** Puts a database in the trash, with all its pages, or takes it out. */
  touchDatabase(id: string, change: { inTrash: boolean }): void;
  /** Whether search finds a page, which it need not. */
  index(id: string, isFound: boolean): void;
  /** Shares a page with integrations, or stops sharing it. */
  share(id: string, shared: boolean): void;
  pages(): Page[];
  comments(pageId: string): Comment[];
  /** The words of each block of a page. */
  texts(pageId: string): string[];
  /** The secret of an internal integration. */
  secret(): string;
  issueTokens(who: string, client?: Client): { accessToken: string; refreshToken: string };
  revokeAccess(who: string, client?: Client): void;
  approve(authorizationUrl: string, consent: { user: string; deny?: boolean }): Promise<string>;
  setQuota(quota: Quota | undefined): void;
};

type NotionParts = { world: NotionWorld; flow: Flow; quota: QuotaMeter };

function createNotionFlow(world: NotionWorld): Flow {
  return createFlow(world, {
    title: 'Add integration',
    authorizePath: '/v1/oauth/authorize',
    parameters: ['owner'],
    required: ['client_id', 'redirect_uri', 'response_type', 'owner'],
    responseType: 'code',
    readScopes: () => [],
    isKnownScope: () => true,
    people: () =>
      [...world.data.users.values()].map(({ id, name, email }) => ({ key: id, label: `${name} <${email}>` })),
    codeSeconds: 600,
    refresh: { when: () => true, rotates: true, reuse: 'refused', graceSeconds: 0 },
    newAccessToken: () => `ntn_${randomBytes(23).toString('hex')}`,
    newRefreshToken: () => `nrt_${randomBytes(23).toString('hex')}`,
    refuse: createStandardError,
  });
}

function authenticateCaller({ world, flow }: NotionParts, { headers }: IncomingRequest): Caller {
  const given = findBearerToken(headers) ?? '';
  const token = flow.live(given);
  if (token) return { clientId: token.clientId, account: token.account };
  const clientId = world.data.secrets.get(given);
  if (!clientId) throw createNotionError(401, 'unauthorized', 'API token is invalid.');
  return { clientId, account: '' };
}

/** OAuth's JSON bodies come with Basic credentials; a client in the body is not looked at. */
function parseOauthForm(incoming: IncomingRequest, call: Parameters<typeof parseJsonBody>[0]): URLSearchParams {
  if (!/^Basic /i.test(incoming.headers.authorization ?? ''))
    throw createStandardError('missing_secret', 'Basic is required');
  const text = z.string().optional();
  const shape = z.strictObject({ grant_type: text, code: text, redirect_uri: text, refresh_token: text, token: text });
  const body = parseJsonBody(call, shape);
  return new URLSearchParams(Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function answerOauth(
  { world, flow }: NotionParts,
  incoming: IncomingRequest,
  call: Parameters<typeof parseJsonBody>[0],
): Reply {
  const form = parseOauthForm(incoming, call);
  const client = flow.authenticate(incoming.headers, form);
  const { oauth } = world.data;
  const given = form.get('token') ?? '';
  const kept = flow.live(given) ?? oauth.refreshTokens.get(given);
  if (incoming.url.pathname === '/v1/oauth/introspect') return { json: { active: kept?.clientId === client.id } };
  if (incoming.url.pathname === '/v1/oauth/revoke') {
    if (kept?.clientId === client.id && kept.family) revokeFamily(oauth, kept.family);
    return { json: {} };
  }
  // The pair that is exchanged is dead with its access token.
  const earlier = oauth.refreshTokens.get(form.get('refresh_token') ?? '');
  const { access, refresh } = exchangeToken(flow, incoming, form);
  for (const token of oauth.accessTokens.values()) {
    if (earlier && token.family === earlier.family && token !== access) oauth.accessTokens.delete(token.token);
  }
  return {
    json: {
      access_token: access.token,
      token_type: 'bearer',
      refresh_token: refresh?.token ?? null,
      bot_id: client.id,
      workspace_icon: null,
      workspace_name: world.workspace.name,
      workspace_id: world.workspace.id,
      owner: { type: 'user', user: buildNotionUser(getNotionUser(world, access.account)) },
      duplicated_template_id: null,
      request_id: randomUUID(),
    },
  };
}

const oauthPaths = ['/v1/oauth/token', '/v1/oauth/revoke', '/v1/oauth/introspect'];

function answer(parts: NotionParts, incoming: IncomingRequest): Reply {
  const { world, flow, quota } = parts;
  const { url, headers, body } = incoming;
  const now = world.now();
  const page = findRoute(flow.routes, incoming);
  if (page) return page.route.handle({ now, url, headers, body, params: page.params });
  if (incoming.method === 'POST' && oauthPaths.includes(url.pathname)) {
    return answerOauth(parts, incoming, { now, url, headers, body, params: {} });
  }
  const caller = authenticateCaller(parts, incoming);
  const quotaState = quota.count(caller.clientId, now);
  if (quotaState?.exceeded) {
    const seconds = String(Math.max(1, Math.ceil((quotaState.resetsAt.getTime() - now.getTime()) / 1000)));
    throw createNotionError(429, 'rate_limited', 'You have been rate limited. Please try again in a few minutes.', {
      'retry-after': seconds,
    });
  }
  const given = headers['notion-version'];
  if (given === undefined)
    throw createNotionError(
      400,
      'missing_version',
      'Notion-Version header should be defined, instead was `undefined`.',
    );
  const version = versions.find((known) => known === given);
  if (!version)
    throw createValidationError(
      `Notion-Version header should be ${versions.join(' or ')}, instead was "${String(given)}".`,
    );
  const found = findRoute(notionRoutes, incoming);
  if (!found || (found.route.version && found.route.version !== version)) {
    throw createNotionError(400, 'invalid_request_url', 'Invalid request URL.');
  }
  if (body.length > 0 && !(headers['content-type'] ?? '').includes('json'))
    throw createNotionError(400, 'invalid_json', 'Error parsing JSON body.');
  checkQuery(found.route, url.searchParams);
  return found.route.handle({ now, url, headers, body, params: found.params, world, caller, version });
}

const outages: Record<number, string> = {
  409: 'conflict_error',
  429: 'rate_limited',
  503: 'service_unavailable',
  504: 'gateway_timeout',
};

function buildOrderedReply(order: OrderedAnswer): Reply {
  const limited = order.kind === 'rate_limited';
  const status = order.kind === 'status' ? order.status : 429;
  const retryAfter = order.kind === 'status' ? order.retryAfter : 1;
  const wanted =
    order.kind === 'invalid_grant'
      ? createStandardError('bad_refresh_token', '')
      : createNotionError(
          status,
          limited ? 'rate_limited' : (outages[status] ?? 'internal_server_error'),
          (order.kind === 'status' && order.reason) || 'Notion is not available right now.',
          retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
        );
  return { status: wanted.status, headers: wanted.headers, json: wanted.body };
}

function createDialect(parts: NotionParts): Dialect {
  return {
    findAccount(incoming) {
      const token = parts.flow.live(findBearerToken(incoming.headers));
      return token && parts.world.data.users.get(token.account)?.email;
    },
    answer: (incoming) => answer(parts, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({
      status: 500,
      json: { object: 'error', status: 500, code: 'emulator_fault', message: detail },
    }),
  };
}

function seedPage(world: NotionWorld, input: SeedPage): Page {
  const place = input.in;
  const parent: Parent = !place
    ? { type: 'workspace' }
    : 'dataSourceId' in place
      ? { type: 'data_source_id', id: place.dataSourceId }
      : { type: 'page_id', id: place.id };
  const schema = getSchema(world, parent);
  const name = Object.keys(schema).find((key) => schema[key] === 'title') ?? 'title';
  const title = { [name]: { id: 'title', type: 'title' as const, title: toRichText(input.title) } };
  const properties = { ...readProperties(schema, input.properties ?? {}), ...input.computed, ...title };
  const children = (input.text ?? []).map(createParagraph);
  return insertPage(
    world,
    { parent, properties, by: getNotionUser(world, input.by).id, children },
    input.at ?? world.now(),
  );
}

function createSeeding(world: NotionWorld) {
  const getPage = (id: string): Page => {
    const page = world.data.pages.get(id);
    if (!page) throw new Error(`There is no page ${id}`);
    return page;
  };
  return {
    addUser({ name, email }: { name: string; email?: string }): User {
      const user = { id: randomUUID(), name, email: email ?? `${name.toLowerCase()}@example.com` };
      world.data.users.set(user.id, user);
      return user;
    },
    addDatabase(input: { title: string; schema: Schema; in?: Page }): Database {
      const time = stamp(world.now());
      const parent: Parent = input.in ? { type: 'page_id', id: input.in.id } : { type: 'workspace' };
      const ids = { id: randomUUID(), dataSourceId: randomUUID() };
      const times = { createdTime: time, editedTime: time, inTrash: false, hidden: false };
      const database: Database = { ...ids, title: input.title, schema: input.schema, parent, ...times };
      world.data.databases.set(database.id, database);
      return database;
    },
    seedPage: (input: SeedPage) => seedPage(world, input),
    seedBlocks(parentId: string, blocks: unknown[]): Block[] {
      const block = world.data.blocks.find(({ id }) => id === parentId);
      const { id: pageId, createdBy: by } = getPage(block?.pageId ?? parentId);
      return insertBlocks(world, { parentId, pageId, by, at: world.now() }, readBlocks(blocks, 'children'));
    },
    touchPage(id: string, { title, inTrash }: { title?: string; inTrash?: boolean }) {
      const page = getPage(id);
      const named = Object.values(page.properties).find(({ type }) => type === 'title');
      if (named && title !== undefined) named.title = toRichText(title);
      if (inTrash !== undefined) page.inTrash = inTrash;
      const block = world.data.blocks.find((each) => each.id === id);
      if (block) block.inTrash = page.inTrash;
      page.editedTime = stamp(world.now());
    },
    touchDatabase(id: string, { inTrash }: { inTrash: boolean }) {
      const database = world.data.databases.get(id);
      if (!database) throw new Error(`There is no database ${id}`);
      Object.assign(database, { inTrash, editedTime: stamp(world.now()) });
    },
    index: (id: string, isFound: boolean) => void (getPage(id).isUnindexed = !isFound),
    share: (id: string, shared: boolean) => void (getPage(id).hidden = !shared),
    pages: () => [...world.data.pages.values()],
    comments: (pageId: string) => world.data.comments.filter((comment) => comment.pageId === pageId),
    texts: (pageId: string) =>
      world.data.blocks
        .filter((block) => block.pageId === pageId && !block.inTrash)
        .map(({ content }) => ((content['rich_text'] ?? []) as RichText).map((item) => item.plain_text).join('')),
  };
}

/** Starts the emulator on the loopback. It has one integration, an empty workspace and no users. */
export async function startNotionEmulator(options: NotionEmulatorOptions = {}): Promise<NotionEmulator> {
  const world = createWorld({
    now: options.now ?? (() => new Date()),
    searchLagSeconds: options.searchLagSeconds ?? 60,
  });
  const flow = createNotionFlow(world);
  const register = (input: ClientInput) =>
    addClient(world.data.oauth, input, () => ({
      id: randomUUID(),
      secret: `secret_${randomBytes(21).toString('hex')}`,
    }));
  const client = register({ redirectUris: [loopback] });
  const quota = createQuotaMeter(options.quota ?? { requests: 30, seconds: 10 });
  const emulator = await startEmulator(world, createDialect({ world, flow, quota }), options);
  return {
    ...emulator,
    client,
    addClient: register,
    ...createSeeding(world),
    secret() {
      const secret = `ntn_${randomBytes(23).toString('hex')}`;
      world.data.secrets.set(secret, register({ name: 'Internal integration', redirectUris: [] }).id);
      return secret;
    },
    issueTokens(who, other = client) {
      const { access, refresh } = flow.issue({ account: getNotionUser(world, who).id, client: other, scopes: [] });
      return { accessToken: access.token, refreshToken: refresh?.token ?? '' };
    },
    revokeAccess: (who, other = client) => revokeGrant(world.data.oauth, getNotionUser(world, who).id, other.id),
    approve: (url, { user, deny }) =>
      flow.approve(url, { account: getNotionUser(world, user).id, deny: deny ?? false }),
    setQuota: quota.set,
  };
}
