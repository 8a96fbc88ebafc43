import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEgress, type Egress } from './index.ts';
import { startServer, type LocalServer } from './local-server.ts';
import { checkReadsOnly, writesOnGet } from './reads-only.ts';

let server: LocalServer;
let egress: Egress;
let location = '/';
let status = 302;

beforeAll(async () => {
  server = await startServer((entry, response) => {
    if (entry.url.startsWith('/leads')) response.writeHead(status, { location }).end();
    else response.end('read');
  });
  egress = createEgress({ allow: [server.origin] });
});
afterAll(async () => {
  await egress.close();
  await server.close();
});
beforeEach(() => {
  server.ledger.length = 0;
});

const get = (path: string, more: object = {}) =>
  egress.request({ method: 'GET', url: `${server.origin}${path}`, ...more });

describe('every caller', () => {
  test.for(['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override', 'x_http_method_override'])(
    'is refused the header %s, which requests another method',
    async (name) => {
      await expect(get('/', { headers: { [name]: 'DELETE' } })).rejects.toThrow(/asks for another method/);
      expect(server.ledger).toEqual([]);
    },
  );

  test.for([
    'X-Original-URL',
    'X-Rewrite-Url',
    'x_original_url',
    'X-Forwarded-Host',
    'X-Forwarded-Prefix',
    'X-Original-Host',
    'Forwarded',
    'X-HTTP-Host-Override',
    'Request-Uri',
    'X-Envoy-Original-Path',
    'X-Forwarded-Method',
  ])('is refused the header %s, which names another address', async (name) => {
    await expect(get('/', { headers: { [name]: '/admin' } })).rejects.toThrow(/overrides the address/);
    expect(server.ledger).toEqual([]);
  });

  test.for(['X-Request-Id', 'X-Forwarded-For', 'X-Api-Key', 'X-Amz-Target', 'Notion-Version'])(
    'may send the header %s',
    async (name) => {
      expect((await get('/', { headers: { [name]: '1' } })).status).toBe(200);
    },
  );

  test.for([
    '_method',
    '_method[]',
    ' _METHOD ',
    '_method[a]',
    '.method',
    '[method',
    '_method\0a',
    'x-http-method-override',
  ])('is refused the parameter %j, which requests another method', async (name) => {
    const query = new URLSearchParams({ [name]: 'DELETE' }).toString();
    await expect(get(`/items/1?${query}`, { method: 'POST' })).rejects.toThrow(/asks for another method/);
    await expect(get(`/items/1?a=1;${query}`)).rejects.toThrow(/asks for another method/);
    expect(server.ledger).toEqual([]);
  });

  test('cannot follow a redirect that requests another method', async () => {
    location = '/items/1?_method=DELETE';
    await expect(get('/leads')).rejects.toThrow(/asks for another method/);
  });

  test.for(['GET', 'HEAD'])('is refused a body on %s', async (method) => {
    await expect(get('/', { method, body: '{}' })).rejects.toThrow(/cannot have a body/);
    expect(server.ledger).toEqual([]);
  });
});

describe('a caller that may only read', () => {
  test('reads', async () => {
    expect((await get('/page?q=1', { readsOnly: true })).status).toBe(200);
  });

  test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('is refused %s', async (method) => {
    await expect(get('/', { method, readsOnly: true })).rejects.toMatchObject({ delivery: 'not_sent' });
    expect(server.ledger).toEqual([]);
  });

  test('posts to the one address that is declared as read, and to no other', async () => {
    const [readByPost, more] = [`${server.origin}/search`, { method: 'POST', readsOnly: true }];
    expect((await get('/search', { ...more, readByPost })).status).toBe(200);
    server.ledger.length = 0;
    for (const path of ['/search/', '/search?a=1', '/Search', '/'])
      await expect(get(path, { ...more, readByPost })).rejects.toMatchObject({ delivery: 'not_sent' });
    await expect(get('/search', { ...more, method: 'PUT', readByPost })).rejects.toThrow(/PUT may change/);
    const writer = 'https://slack.com/api/chat.postMessage';
    await expect(egress.request({ ...more, url: writer, readByPost: writer })).rejects.toThrow(/Slack Web API/);
    expect(server.ledger).toEqual([]);
  });

  test('follows no redirect with a POST, not even back to the declared address', async () => {
    const path = '/leads';
    location = path;
    status = 307;
    const call = get(path, { method: 'POST', body: '{}', readsOnly: true, readByPost: `${server.origin}${path}` });
    await expect(call).rejects.toThrow(/POST may change/);
    expect(server.ledger).toHaveLength(1);
    status = 302;
  });

  test('is refused an address that requests another method', async () => {
    await expect(get('/items/1?_method=DELETE', { readsOnly: true })).rejects.toThrow(/_method/);
    expect(server.ledger).toEqual([]);
  });

  test('cannot follow a redirect to a service that writes on GET', async () => {
    location = 'https://slack.com/api/chat.postMessage?channel=C1&text=Hi';
    await expect(get('/leads', { readsOnly: true })).rejects.toThrow(/Slack Web API/);
  });

  test.for(writesOnGet)('is refused $what', ({ host, path = '/' }) => {
    const name = host.startsWith('.') ? `hook.eu1${host}` : host;
    const check = (url: string) => () => checkReadsOnly({ method: 'GET', url: new URL(url) });
    expect(check(`https://${name}${path}x?text=Hi`)).toThrow(/on GET requests/);
    expect(check(`https://${name}/${path}x`)).toThrow(/on GET requests/);
  });

  test('cannot hide a service that writes on GET behind the handle of a secret', async () => {
    const segment = { handle: `sec_${'a'.repeat(24)}`, value: 'api', placements: ['path'], hosts: ['slack.com'] };
    const url = `https://slack.com/${segment.handle}/chat.postMessage?channel=C1&text=Hi`;
    const call = egress.request({ method: 'GET', url, handles: [segment], readsOnly: true });
    await expect(call).rejects.toMatchObject({ delivery: 'not_sent', message: expect.stringMatching(/Slack Web API/) });
  });

  test.for(writesOnGet.filter(({ path }) => path))(
    'cannot hide $what behind a handle or an escape',
    async ({ host, path = '' }) => {
      const name = host.startsWith('.') ? `hook.eu1${host}` : host;
      const [, first = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(path) ?? [];
      const segment = { handle: `sec_${'b'.repeat(24)}`, value: first, placements: ['path'], hosts: [name] };
      const escaped = `%${first.charCodeAt(0).toString(16)}${first.slice(1)}`;
      for (const hidden of [
        segment.handle,
        escaped,
        `x/%2e%2e/${first}`,
        `%2F${first}`,
        `;a/${first}`,
        `%25${escaped.slice(1)}`,
      ]) {
        const url = `https://${name}/${hidden}${rest}x`;
        const call = egress.request({ method: 'GET', url, handles: [segment], readsOnly: true });
        await expect(call, url).rejects.toThrow(/on GET requests/);
      }
    },
  );

  test.for([
    'https://acme.slack.com/api/chat.postMessage',
    'https://script.google.com/a/macros/example.com/s/AKfy/exec',
    'https://script.google.com/a/example.com/macros/s/AKfy/exec',
    'https://api.thingspeak.com/apps/thinghttp/send_request?api_key=1',
    'https://api.thingspeak.com/talkbacks/1/commands/execute',
  ])('is refused another address of such a service, %s', (url) => {
    expect(() => checkReadsOnly({ method: 'GET', url: new URL(url) })).toThrow(/on GET requests/);
  });

  test('reads other addresses of such hosts', () => {
    checkReadsOnly({ method: 'GET', url: new URL('https://slack.com/help/articles/1') });
  });
});
