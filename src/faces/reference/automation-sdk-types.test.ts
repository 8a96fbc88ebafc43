import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { automationSdk } from './automation-sdk.ts';

const folder = mkdtempSync(join(tmpdir(), 'automation-sdk-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Every call of the guide's table, with the fields of its answer that scripts read, and calls that are wrong. */
const script = `import { brains, env } from './automation-sdk-v1.ts';

const id = '0190f5d2-0000-7000-8000-000000000000';
const board = await brains.boards.get(id, { dataset: 'leads', offset: 0, limit: 5 });
const rows: unknown[] | undefined = board.datasets['leads']?.rows ?? board.data.datasets['leads']?.rows;
await brains.boards.get({ name: 'CRM' });
const names: string[] = (await brains.boards.list()).boards.map(({ name }) => name);
const { appended } = await brains.boards.append(id, [{ a: 1 }], { dataset: 'leads', dedupe_key_field: 'a' });
await brains.boards.append({ board_id: id, rows: [] });
const { version } = await brains.boards.update_row(id, 'r', { a: 2 }, { dataset: 'leads', expected_version: 1 });
await brains.boards.update_row({ board_id: id, row_id: 'r', patch: { a: 2 } });
await brains.boards.delete(id, 'r', { dataset: 'leads' });
await brains.boards.restore({ board_id: id, row_id: 'r' });
const skills: unknown[] = await brains.boards.list_skills(id);
await brains.boards.run_skill(id, 'sort', { row_ids: ['r'] });

const text: string = (await brains.llm({ prompt: 'Hello', max_tokens: 5, model: 'm' })).text;
await brains.llm({ messages: [{ role: 'user', content: 'Hello' }] });
await brains.llm('Hello');
await brains.kv.set('cursor', { at: 5 });
const cursor = (await brains.kv.get('cursor')).at;
const keys: string[] = await brains.kv.list('c');
await brains.kv.delete('cursor');

const page = await brains.call('get_page', { slug: 'a' });
await brains.act({ source: 'gmail', action_name: 'search_emails', input: { query: 'a', limit: 5 } });
await brains.act_on_integration({ source: 'gmail', request: 'Find the invoice' });
await brains.fetch({ source: 'gmail', request: 'from:ada' });
const answer = await brains.http_fetch({ url: 'https://a', method: 'POST', headers: { a: 5 }, query: { q: 'a' }, body_json: {}, timeout_ms: 5 });
const facts: [boolean, number, string, string] = [answer.ok, answer.status, answer.text, answer.headers['a'] ?? answer.body];
await brains.http({ url: 'https://a', body_text: 'a=1' });
await brains.http_fetch({ url: 'https://a', body: { a: 1 } });

const hits = await brains.search({ query: 'a', type: 'email', limit: 5 });
const snippets: string[] = [...hits.map((hit) => hit.snippet), ...hits.pages.map((hit) => hit.title), ...hits.results.map((hit) => hit.title)];
await brains.search('a');
await brains.search({ q: 'a' });
const pages: string[] = (await brains.query({ q: 'a' })).map(({ title }) => title);
const { results } = await brains.list_calendar_events({ start: '2026-01-01', end: '2026-01-02', limit: 5 });
const guests: [string, boolean][] = results.flatMap(({ attendees }) => attendees.map((each): [string, boolean] => [each.email, each.self]));
const hmac: string = await env.helpers.hmacSha256Hex('text', env['KEY'] ?? '');

// @ts-expect-error There is no such operation.
await brains.append_rows({});
// @ts-expect-error There is no such call of boards.
await brains.boards.update(id);
// @ts-expect-error A patch is an object.
await brains.boards.update_row(id, 'r', 5);
// @ts-expect-error A key is text.
await brains.kv.get(5);
// @ts-expect-error An address is needed.
await brains.http_fetch({ method: 'GET' });
// @ts-expect-error Hits have no such field.
const wrong = hits[0]?.nothing;

export { rows, names, appended, version, skills, text, cursor, keys, page, facts, snippets, pages, guests, hmac, wrong };
`;

test('a script with every call of the guide compiles against the published types, and wrong calls do not', async () => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'automation-sdk-v1.ts'), automationSdk);
  writeFileSync(join(folder, 'script.ts'), script);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    target: 'es2024',
    module: 'nodenext',
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['script.ts'] }));
  const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error, // its errors are on stdout
  );
  expect(stdout).toBe('');
});
