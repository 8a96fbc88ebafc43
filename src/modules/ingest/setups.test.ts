import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  const made = await server.ok('create_connector', { name: 'Automation', source: 'make', connector_type: 'shared' });
  token = String(made.webhook_token);
});
afterAll(() => server.close());

const readSetup = async (product: string) => {
  const { setups, token_place } = await server.ok('get_connector_setup', { product });
  return String(setups[0]?.copy).replaceAll(token_place, token);
};

/** Sends what a product sends: its headers and its bytes. */
async function send(headers: Record<string, string>, body: string) {
  const response = await server.request('/v1/ingest', { method: 'POST', headers, body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const text = 'He said "noon",\nand left.\tToday: 5 % & more';
const mail = {
  content: text,
  source_channel: 'gmail',
  source_user: 'ada@example.com',
  source_id: '',
  thread_id: '18f3a',
};

test('Make sends the form of its setup, with quotes and line breaks in it, and empty fields', async () => {
  const { mapper } = JSON.parse(await readSetup('make')).module;
  const form = new URLSearchParams(
    mapper.formDataFields.map(({ key, value }: { key: string; value: string }) => [
      key,
      value.replace(/\{\{var\.input\.(\w+)\}\}/, (_all, name: keyof typeof mail) => mail[name]),
    ]),
  );
  const headers = {
    'user-agent': 'Make/production',
    [mapper.headers[0].name.toLowerCase()]: mapper.headers[0].value,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { status, body } = await send(headers, form.toString());
  expect({ status, label: body['source_label'] }).toEqual({ status: 200, label: 'make:gmail:ada@example.com' });
  expect((await server.ok('get_memory', { id: body['id'] })).memory.content).toBe(text);
});

test('Make sends raw JSON, and line breaks in its texts are accepted', async () => {
  const raw = '{"content":"First line\nsecond line","source_channel":"gmail","source_user":"","source_id":"raw-1"}';
  const headers = {
    'user-agent': 'Make/production',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const { status, body } = await send(headers, raw);
  expect(status).toBe(200);
  expect((await server.ok('get_memory', { id: body['id'] })).memory.content).toBe('First line\nsecond line');
  expect((await send(headers, '{"content":"unended')).status).toBe(400);
});

test('Zapier sends the fields of its setup as JSON', async () => {
  const data = [...(await readSetup('zapier')).matchAll(/^\s+(?:Data\s+)?(content|source_\w+|thread_id)\s/gm)];
  expect(data.length + 1).toBe(5);
  const fields = { ...mail, source_id: '18f3b', content: 'From a Zap' };
  const headers = {
    'user-agent': 'Zapier',
    accept: 'application/json',
    'content-type': 'application/json; charset=utf-8',
    authorization: `Bearer ${token}`,
  };
  expect((await send(headers, JSON.stringify(fields))).body).toMatchObject({ dedup: { action: 'superseded' } });
});

test('n8n sends the name and value pairs of its node as JSON, including numbers', async () => {
  const { parameters } = JSON.parse(await readSetup('n8n')).nodes[0];
  expect(parameters.url).toMatch(/\/v1\/ingest$/);
  const names = parameters.bodyParameters.parameters.map(({ name }: { name: string }) => name);
  const values: Record<string, unknown> = { ...mail, content: 'From a workflow', source_id: 42, thread_id: '' };
  const fields = Object.fromEntries(names.map((name: string) => [name, values[name]]));
  const header = parameters.headerParameters.parameters[0];
  const headers = {
    'user-agent': 'n8n',
    accept: 'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7',
    'content-type': 'application/json',
    authorization: header.value,
  };
  expect((await send(headers, JSON.stringify(fields))).body).toMatchObject({ dedup: { action: 'created' } });
});

test('the command for a script works unchanged', async () => {
  const command = await readSetup('curl');
  const body = /-d '(.*)'/.exec(command)?.[1] ?? '';
  const [, credential = ''] = /Authorization: (Bearer \S+)'/.exec(command) ?? [];
  expect((await send({ authorization: credential, 'content-type': 'application/json' }, body)).status).toBe(200);
});
