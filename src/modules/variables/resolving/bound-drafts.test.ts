import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allowKeysToDestroy } from '../../../../tests/support/acting.ts';
import { signIn, type Browser } from '../../../../tests/support/google.ts';
import { startHttpRecorder, type HttpRecorder } from '../../../../tests/support/http-recorder.ts';
import { connectMcp } from '../../../../tests/support/mcp-client.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

const iban = 'DE00-canary-of-the-agent';
let server: TestServer;
let outside: HttpRecorder;
let database: OwnerDatabase;
let browser: Browser;
let bot: string;

beforeAll(async () => {
  outside = await startHttpRecorder();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: outside.url });
  database = await openAsOwner(server.connectionString);
  browser = await signIn(server);
  await database.rows('update sessions set is_human_surface = true'); // like a person who signed in by mail
  bot = String((await server.ok('create_key', { label: 'Bot' }))['key']);
  await allowKeysToDestroy(server);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await outside.close();
});
beforeEach(() => void outside.requests.splice(0));

const write = async (value: string, key = bot, more: Record<string, unknown> = {}) => {
  const input = { var_scope: 'agent', var_name: 'IBAN', value, placements: ['json:iban'], ...more };
  return String((await server.ok('set_variable', { ...input, hosts: [new URL(outside.url).host] }, { key }))['handle']);
};
async function pay(handle: string, key = bot) {
  const headers = { 'content-type': 'application/json' };
  const input = { url: `${outside.url}/pay`, method: 'POST', headers, body: JSON.stringify({ iban: handle }) };
  return server.ok('http_fetch', input, { key });
}
const readStatus = async (draft_id: unknown) => (await server.ok('get_action', { draft_id }))['status'];

describe('a draft with a value that its agent wrote', () => {
  test('shows name, setter and fingerprint wherever it is stored or shown, and never the value', async () => {
    const draft = await pay(await write(iban));
    expect(draft.preview).toMatchObject({ is_complete: false, is_completed_at_console: true });
    expect(JSON.stringify(draft.preview)).toMatch(
      /is IBAN, whose value the agent “Bot” wrote \(fingerprint [0-9a-f]{8}\)/,
    );
    const shownDraft = await server.ok('get_action', { draft_id: draft.draft_id });
    const inbox = await browser.ok('list_pending_actions', { detail: 'full' });
    for (const text of [draft, shownDraft, inbox, await database.dump()].map((each) => JSON.stringify(each)))
      expect(text).not.toContain(iban);
  });

  test('cannot be approved by a key: the error names the page of the console', async () => {
    const { draft_id } = await pay(await write(iban));
    const { body } = await server.call('confirm_action', { draft_id });
    expect(body).toMatchObject({ code: 'approval_required', detail: expect.stringMatching(/only the console shows/) });
    expect(outside.requests).toEqual([]);
  });

  test('shows the value only to a person at the console, and they send what they read', async () => {
    const { draft_id } = await pay(await write(`${iban}\u{1D159}!`));
    const shown = await browser.ok('show_draft_values', { draft_id });
    expect(shown['values']).toMatchObject([{ name: 'IBAN', set_by: 'Bot', value: `${iban}[U+1D159]!` }]);
    const draft = await browser.ok('get_action', { draft_id });
    expect(shown['content_hash']).toBe(draft['content_hash']);
    expect(await browser.ok('confirm_action', { draft_id })).toMatchObject({ status: 'confirmed' });
    expect(outside.requests[0]?.body).toContain(iban);
  });

  test('cannot be approved in a batch, where nobody reads it', async () => {
    const { draft_id } = await pay(await write(iban));
    const { results } = await browser.ok('confirm_actions', { draft_ids: [draft_id] });
    expect(results).toMatchObject([{ status: 'failed', error: expect.stringContaining('Open it, read them') }]);
    expect(outside.requests).toEqual([]);
  });

  test('is stale, and nothing is sent, when the agent changes the value after the person read it', async () => {
    const { draft_id } = await pay(await write(iban));
    await browser.ok('show_draft_values', { draft_id });
    await write('DE99-another');
    const answer = await browser.ok('confirm_action', { draft_id }).catch((error: unknown) => String(error));
    expect(JSON.stringify(answer)).toMatch(/IBAN was changed after this was drafted/);
    expect(await readStatus(draft_id)).toBe('stale');
    expect(outside.requests).toEqual([]);
  });

  test('shows the value to no key, no session that a key opened, and no MCP client', async () => {
    const { draft_id } = await pay(await write(iban));
    const byKey = [server.key, bot].map((key) => server.call('show_draft_values', { draft_id }, { key }));
    for (const { body } of await Promise.all(byKey)) expect(body['code']).toBe('forbidden');
    await expect((await signIn(server)).ok('show_draft_values', { draft_id })).rejects.toThrow(/403/);
    const session = browser.cookie.split('=')[1] ?? '';
    for (const key of [server.key, session]) {
      const bearer = await server.call('show_draft_values', { draft_id }, { key });
      expect(JSON.stringify(bearer.body)).not.toContain(iban);
      expect(['forbidden', 'unauthenticated']).toContain(bearer.body['code']);
      const client = await connectMcp(`${server.url}/mcp`, key).catch(() => null);
      const answer = await client?.callTool({ name: 'show_draft_values', arguments: { draft_id } }).catch(String);
      const managed = await client
        ?.callTool({ name: 'manage', arguments: { action: 'show_draft_values', draft_id } })
        .catch(String);
      expect(JSON.stringify([answer, managed])).not.toContain(iban);
      await client?.close();
    }
  });
});

describe('a draft with a person’s secret', () => {
  const secret = { var_scope: 'person', var_name: 'BANK_TOKEN', placements: ['json:iban'] };

  test('names it, its setter and its hosts, and is complete', async () => {
    const { preview } = await pay(await write('canary-of-a-person', server.key, secret), server.key);
    expect(preview).toMatchObject({ is_complete: true });
    expect(JSON.stringify(preview)).toMatch(/is BANK_TOKEN, a secret that .+ set\. It may go to 127\.0\.0\.1/);
  });

  test('is stale once the person sets another value, its hosts change, or it is deleted', async () => {
    const changes = [
      () => write('another value', server.key, secret),
      () => server.ok('update_variable', { var_scope: 'person', var_name: 'BANK_TOKEN', hosts: ['api.other.example'] }),
      () => server.ok('delete_variable', { var_scope: 'person', var_name: 'BANK_TOKEN' }),
    ];
    for (const change of changes) {
      const { draft_id } = await pay(await write('first', server.key, secret), server.key);
      await change();
      await server.call('confirm_action', { draft_id });
      expect(await readStatus(draft_id)).toBe('stale');
    }
    expect(outside.requests).toEqual([]);
  });
});
