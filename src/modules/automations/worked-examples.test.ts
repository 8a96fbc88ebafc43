// Runs the examples of the reference, unchanged, against the emulators.
import { createHmac } from 'node:crypto';
import { LLMock } from '@copilotkit/aimock';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { GoogleEmulator } from '#emulators/google/index';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowKeysToDestroy } from '../../../tests/support/acting.ts';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import type { TestServer } from '../../../tests/support/server.ts';
import { connectBot, linkPhone } from '../../../tests/support/telegram.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';

const email = 'ada@example.com';
const model = new LLMock({ port: 0 });
let server: TestServer;
let google: GoogleEmulator;
let telegram: TelegramEmulator;
let stripe: HttpRecorder;
let database: OwnerDatabase;
let close: () => Promise<void>;

beforeAll(async () => {
  telegram = await startTelegramEmulator();
  stripe = await startHttpRecorder();
  model.onMessage(/revenue notes/, { content: 'Revenue grew.', usage: { input_tokens: 100, output_tokens: 10 } });
  await model.start();
  ({ server, google, close } = await startServerWithGoogle({
    THALAMUS_TELEGRAM_BASE_URL: telegram.url,
    THALAMUS_LLM_PROVIDER: 'anthropic',
    THALAMUS_LLM_MODEL: 'claude-haiku-4-5',
    THALAMUS_LLM_BASE_URL: `${model.url}/v1`,
    THALAMUS_LLM_API_KEY: 'llm-secret-key-0123456789',
    THALAMUS_EGRESS_ALLOW: stripe.url,
  }));
  database = await openAsOwner(server.connectionString);
  google.addAccount({ email, name: 'Ada' });
  await allowKeysToDestroy(server);
});
afterAll(async () => {
  await database.close();
  await close();
  await model.stop();
  await stripe.close();
  await telegram.close();
});

/** The variables of a bundle with a consent, for a person's own OAuth client at Google. */
async function createGmailVariables(prefix: string) {
  const { id, secret } = google.client;
  const { refreshToken } = google.issueTokens(email, ['https://www.googleapis.com/auth/gmail.modify']);
  const hosts = [new URL(google.url).host];
  for (const [part, value, placements] of [
    ['CLIENT_ID', id, ['header', 'form:client_id']],
    ['CLIENT_SECRET', secret, ['header', 'form:client_secret']],
    ['REFRESH_TOKEN', refreshToken, ['form:refresh_token']],
  ] as const)
    await server.ok('set_variable', { var_scope: 'person', var_name: `${prefix}_${part}`, value, placements, hosts });
  return [id, secret, refreshToken];
}

let made = 0;
async function save(source: string, more: Record<string, unknown>) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Example ${(made += 1)}`,
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'http_fetch' }],
    ...more,
  });
  return automation_id;
}
async function run(automation_id: string, more: Record<string, unknown> = {}) {
  const once = await server.ok('run_automation_once', { automation_id, dry_run: false, ...more });
  return server.ok('get_automation_run', { run_id: once.run_id });
}
const googleHosts = { acknowledged_http_fetch_hosts: ['oauth2.googleapis.com', 'gmail.googleapis.com'] };

const refreshHelper = `// Reusable refresh helper. NAMESPACE convention: suffix _CLIENT_ID / _CLIENT_SECRET / _REFRESH_TOKEN.
async function getGoogleAccessToken(env, namespace) {
  const r = await fetch('https://oauth2.googleapis.com/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_id: env[\`\${namespace}_CLIENT_ID\`],
      client_secret: env[\`\${namespace}_CLIENT_SECRET\`],
      refresh_token: env[\`\${namespace}_REFRESH_TOKEN\`],
      grant_type: 'refresh_token',
    }),
  });
  if (!r.ok) throw new Error('token refresh failed: ' + (await r.text()).slice(0, 300));
  const { access_token } = await r.json();
  return access_token;
}
`;

const gmailSend = `async (args, env) => {
    // 1. Refresh access token
    const tokenResp = await fetch('https://oauth2.googleapis.com/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: env.MY_GMAIL_CLIENT_ID,
        client_secret: env.MY_GMAIL_CLIENT_SECRET,
        refresh_token: env.MY_GMAIL_REFRESH_TOKEN,
        grant_type: 'refresh_token',
      }),
    });
    if (!tokenResp.ok) throw new Error('refresh failed: ' + (await tokenResp.text()).slice(0, 200));
    const { access_token } = await tokenResp.json();

    // 2. Build RFC 5322 message. env.helpers.rfc2047 wraps non-ASCII headers
    //    in =?utf-8?B??= (ASCII passthrough — see byoo-rfc-2047 below).
    const headers = [
      \`To: \${args.to}\`,
      args.cc ? \`Cc: \${args.cc}\` : null,
      \`Subject: \${env.helpers.rfc2047(args.subject)}\`,
      'Content-Type: text/plain; charset=UTF-8',
      'MIME-Version: 1.0',
    ].filter(Boolean).join('\\r\\n');
    const raw = env.helpers.base64url(\`\${headers}\\r\\n\\r\\n\${args.body}\`);

    // 3. Send
    const send = await fetch('https://gmail.googleapis.com/gmail/v1/users/me/messages/send', {
      method: 'POST',
      headers: { Authorization: \`Bearer \${access_token}\`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ raw }),
    });
    const result = await send.json();
    if (!send.ok) throw new Error('send failed: ' + JSON.stringify(result).slice(0, 300));
    return { sent: true, message_id: result.id, thread_id: result.threadId };
  }`;

test('getGoogleAccessToken gets a handle that reads Gmail in its run, and no token reaches code, record or database', async () => {
  const secrets = await createGmailVariables('WORK');
  const id = await save(
    `${refreshHelper}
const token = await getGoogleAccessToken(env, 'WORK');
const me = await fetch('https://gmail.googleapis.com/gmail/v1/users/me/profile', { headers: { Authorization: \`Bearer \${token}\` } });
console.log(token, JSON.stringify(env));
return [token, me.status, (await me.json()).emailAddress];`,
    googleHosts,
  );
  const record = await run(id);
  expect(record).toMatchObject({ status: 'succeeded', result: [expect.stringMatching(/^sec_\w{24}$/), 200, email] });
  const issued = google.ledger
    .all()
    .flatMap(({ headers }) => /Bearer (.+)/.exec(String(headers['authorization']))?.[1] ?? []);
  expect(issued.length).toBeGreaterThan(0);
  const kept = JSON.stringify([record, await database.dump()]);
  for (const secret of [...secrets, ...issued]) expect(kept).not.toContain(secret);
  expect(await database.rows('select id from run_secrets')).toEqual([]);
});

test('gmail_send works as documented: the mail waits for a person, and is sent once with a current token', async () => {
  await createGmailVariables('MY_GMAIL');
  const id = await save(gmailSend, googleHosts);
  const payload = { to: 'noah@example.com', subject: 'Über uns', body: 'We are in. Friday works.' };
  expect(await run(id, { payload })).toMatchObject({ status: 'succeeded', result: { sent: true } });
  expect(google.ledger.sent()).toEqual([]);
  const { drafts } = await server.ok('list_pending_actions', { detail: 'full' });
  const [draft] = drafts as unknown as { draft_id: string; preview: { fields: { label: string; text: string }[] } }[];
  expect(draft?.preview.fields).toContainEqual({
    label: 'Token',
    text: expect.stringContaining('oauth2.googleapis.com/token'),
  });
  const sent = await server.ok('confirm_action', { draft_id: draft?.draft_id });
  expect(sent).toMatchObject({ status: 'confirmed', result: { status: 200 } });
  expect(google.ledger.sent()).toMatchObject([
    { subject: 'Über uns', to: [expect.stringContaining('noah@example.com')] },
  ]);
});

test('a token of a run is useless after the run, in another run, or for another host', async () => {
  await createGmailVariables('ENDS');
  const asking = `const use = async (url, token) => { try { return (await fetch(url, { headers: { Authorization: "Bearer " + token } })).status } catch (e) { return e.code } };`;
  const profile = 'https://gmail.googleapis.com/gmail/v1/users/me/profile';
  const first = await save(
    `${refreshHelper}${asking}
const token = await getGoogleAccessToken(env, 'ENDS');
return [token, await use("${profile}", token), await use("${stripe.url}/steal", token)];`,
    { acknowledged_http_fetch_hosts: [...googleHosts.acknowledged_http_fetch_hosts, new URL(stripe.url).hostname] },
  );
  const { result } = await run(first);
  expect(result).toEqual([expect.any(String), 200, 'invalid_input']);
  expect(stripe.requests).toEqual([]);
  const [token] = result as string[];
  const second = await save(`${asking} return use("${profile}", "${token}");`, googleHosts);
  expect((await run(second)).result).toBe('invalid_input');
  const asked = { url: profile, headers: { authorization: `Bearer ${token}` } };
  expect((await server.call('http_fetch', asked)).status).toBe(422);
});

test('only a token request at the endpoint of the credentials is sent without approval', async () => {
  await createGmailVariables('FORM');
  const post = (url: string, more: string, type = 'application/x-www-form-urlencoded') => `
told.push((await (await fetch('${url}', { method: 'POST', headers: { 'Content-Type': '${type}' },
  body: new URLSearchParams({ client_id: env.FORM_CLIENT_ID, client_secret: env.FORM_CLIENT_SECRET, refresh_token: env.FORM_REFRESH_TOKEN, ${more} }).toString() })).json()).kind ?? 'tokens');`;
  const id = await save(
    `const told = [];
${post('https://oauth2.googleapis.com/token', `grant_type: 'refresh_token'`)}
${post('https://oauth2.googleapis.com/token', `grant_type: 'refresh_token', to: 'x'`)}
${post('https://oauth2.googleapis.com/token', `grant_type: 'authorization_code'`)}
${post('https://oauth2.googleapis.com/token?x=1', `grant_type: 'refresh_token'`)}
${post('https://gmail.googleapis.com/oauth/token', `grant_type: 'refresh_token'`)}
${post('https://oauth2.googleapis.com/token', `grant_type: 'refresh_token'`, 'text/plain')}
return told;`,
    googleHosts,
  );
  expect((await run(id)).result).toEqual(['tokens', 'draft', 'draft', 'draft', 'draft', 'draft']);
  const agent = await server.ok('http_fetch', {
    url: 'https://oauth2.googleapis.com/token',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=refresh_token&client_id=x&refresh_token=y',
  });
  expect(agent['kind']).toBe('draft');
});

test('an HMAC signs a message with a handle as its key, as for webhooks', async () => {
  await server.ok('set_variable', { var_scope: 'person', var_name: 'SIGNING_KEY', value: 'canary-signing-key' });
  const id = await save(`async (args, env) => await env.helpers.hmacSha256Hex(args.message, env.SIGNING_KEY)`, {
    tool_grants: [{ tool: 'add_memory' }],
  });
  const expected = createHmac('sha256', 'canary-signing-key').update('v0:1:{}').digest('hex');
  expect((await run(id, { payload: { message: 'v0:1:{}' } })).result).toBe(expected);
});

const revenue = `import { brains } from "https://brains/sdks/automation-sdk-v1.ts";

// 1. Read the dataset that holds last-week's totals.
const board = await brains.get_board({ name: "Revenue weekly" });
const rows = board.data.datasets.default.rows;

// 2. Compute this week's slice.
const today = new Date();
const slug = \`\${today.getFullYear()}-W\${weekNumber(today)}\`;
if (rows.some((r) => r.week === slug)) {
  console.log(\`already wrote \${slug}, exiting\`);
  return;                              // idempotent — second run is a noop
}

// 3. Fetch from Stripe via http_fetch (allowlisted host).
const json = await brains.http_fetch({
  url: \`https://api.stripe.com/v1/charges?created[gte]=\${weekStart()}\`,
  headers: { Authorization: \`Bearer {{stripe_api_key}}\` },
});
const total = json.data.reduce((s, c) => s + c.amount, 0) / 100;

// 4. Append a row.
await brains.append_board_rows({
  board_id: board.id,
  rows: [{ week: slug, total, generated_at: new Date().toISOString() }],
});

// 5. Draft a Telegram nudge to the owner — never auto-send.
await brains.telegram_push({
  text: \`Revenue for \${slug}: $\${total}\`,
});
// (a draft is created; the owner confirms from /inbox)

function weekNumber(day) { return Math.ceil((day - new Date(day.getFullYear(), 0, 1)) / 604_800_000) }
function weekStart() { return 1_700_000_000 }`;

test('the weekly revenue script writes its row once, and its nudge waits for the owner', async () => {
  const user = telegram.addUser({ firstName: 'Ada' });
  const bot = telegram.addBot({ username: 'thalamus_bot' });
  await connectBot(server, bot);
  await linkPhone(server, telegram, { user, bot });
  const { board_id } = await server.ok('create_board', { name: 'Revenue weekly' });
  await server.ok('automation_secret_set', {
    name: 'stripe_api_key',
    value: 'sk_live_canary',
    hosts: [new URL(stripe.url).host],
  });
  stripe.answer = {
    headers: { 'content-type': 'application/json' },
    body: '{"data":[{"amount":1250},{"amount":750}]}',
  };
  const id = await save(revenue.replace('https://api.stripe.com', stripe.url), {
    tool_grants: [
      { tool: 'get_board' },
      { tool: 'append_board_rows', params: { board_id } },
      { tool: 'http_fetch', params: { hosts: [new URL(stripe.url).hostname] } },
      { tool: 'telegram_push' },
      { tool: 'automation_llm_complete', params: { max_tokens: 1024 } },
    ],
    acknowledged_http_fetch_hosts: [new URL(stripe.url).hostname],
  });
  const before = telegram.messages(user).length;
  expect(await run(id)).toMatchObject({ status: 'succeeded' });
  expect((await run(id)).stdout).toContain('already wrote');
  const board = await server.ok('get_board', { board_id });
  expect(board.data['datasets']).toMatchObject({ default: { rows: [{ total: 20 }] } });
  expect(stripe.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk_live_canary']);
  const { drafts } = await server.ok('list_pending_actions');
  expect(drafts).toContainEqual(expect.objectContaining({ source: 'telegram' }));
  expect(telegram.messages(user)).toHaveLength(before);
});

test('a reply is drafted through a linked account, and its owner sees preview and payload', async () => {
  const { connectionId } = await linkGoogle(server, google, { sources: ['gmail'] });
  const id = await save(
    `const gmailInstallId = args.install_id;
const draft = await brains.act_on_integration({
  install_id: gmailInstallId,  // resolve from type=integration_action
  action_name: "send_email",
  input: {
    to: ["noah@a16z.com"],
    subject: "Re: next week",
    body: "We're in. Friday works for us.",
  },
});
return draft;`,
    { tool_grants: [{ tool: 'act_on_integration' }] },
  );
  const { result } = await run(id, { payload: { install_id: connectionId } });
  expect(result).toMatchObject({
    kind: 'draft',
    draft_id: expect.any(String),
    preview: {},
    payload: {},
    expires_at: expect.any(String),
  });
});

test('known ids are removed, and a model is asked by its name with a prompt', async () => {
  await server.ok('create_board', { name: 'CRM' });
  const id = await save(
    `const board = await brains.get_board({ name: "CRM" });
const existing = new Set(
  board.data.datasets.default.rows.map((r) => r.email_id),
);
const next = (await brains.search({ q: "revenue", limit: 50 }))
  .filter((p) => !existing.has(p.id));
if (next.length) {
  await brains.append_board_rows({
    board_id: board.id,
    rows: next.map((p) => ({ email_id: p.id, subject: p.title })),
  });
}
const notes = next.map((p) => p.title).join(", ");
const { text } = await brains.automation_llm_complete({
  model: "claude-haiku-4-5-20251001",
  prompt: \`Summarise the following revenue notes in one sentence:\\n\${notes}\`,
  max_tokens: 200,
});
return [next.length, text];`,
    { tool_grants: ['get_board', 'search', 'append_board_rows', 'automation_llm_complete'].map((tool) => ({ tool })) },
  );
  await server.ok('create_page', { title: 'Revenue of May', body: 'Revenue grew in May.' });
  expect((await run(id)).result).toEqual([1, 'Revenue grew.']);
  expect((await run(id)).result).toEqual([0, 'Revenue grew.']);
});
