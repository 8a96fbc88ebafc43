// One caller, or somebody without a key, must not slow another caller down.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createResolvers } from '../../src/platform/egress/resolve-names.ts';
import type { GoogleEmulator } from '#emulators/google/index';
import { selectByDepth } from '../support/depth.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { linkGoogle, startServerWithGoogle } from '../support/google.ts';
import { sendRawRequest } from '../support/raw-request.ts';
import type { TestServer } from '../support/server.ts';
import { bodies, doors, htmls, queries, type Attack } from './inputs.ts';
import { expectUndisturbed, type Neighbour } from './quiet-figure.ts';

const email = 'ada@example.com';
let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
let dns: DnsServer;
let neighbour: Neighbour;

beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle());
  dns = await startDnsServer({ 'public.example': '93.184.216.34' });
  google.addAccount({ email, name: 'Ada' });
  await linkGoogle(server, google, { email });
  const key = String((await server.ok('create_key', { label: 'the neighbour' }))['key']);
  for (const content of ['The harbour opens at nine', 'The kiln needs a new lining', 'Ada reads Greek'])
    await server.ok('add_memory', { content });
  let count = 0;
  neighbour = {
    call: () => {
      count += 1;
      return count % 2
        ? server.ok('search_memory', { q: 'when does the harbour open' }, { key })
        : server.ok('who_am_i', {}, { key });
    },
  };
  for (let at = 0; at < 20; at += 1) await neighbour.call();
});
afterAll(async () => {
  await close();
  await dns.close();
});

const selectAttacks = (all: readonly Attack[], count: number) => selectByDepth(all, all.slice(0, count));
const runTwice = async (attack: () => Promise<unknown>) => {
  await attack();
  await attack();
};

describe('another caller gets answers as fast as ever', () => {
  test.each(selectAttacks(bodies, 2))('while a body has %s', (_what, body) =>
    expectUndisturbed(neighbour, () => runTwice(() => server.call('add_memory', body))),
  );

  test.each(selectAttacks(queries, 1))('while somebody searches for %s', (_what, q) =>
    expectUndisturbed(neighbour, () => runTwice(() => server.call('search_memory', { q }))),
  );

  test.each(selectAttacks(htmls, 1))('while a mail with HTML of only %s is read', async (what, html) => {
    google.seedMail(email, { from: 'Eve <eve@example.com>', subject: what, html: `<p>Hello</p>${html}` });
    const input = { query: `subject:"${what}"` };
    await expectUndisturbed(neighbour, () => server.call('fetch_from_integration', { source: 'gmail', input }));
  });

  test.each(selectAttacks(doors, 1))('while endless bodies are sent to %s', (path) => {
    const headers = { 'content-type': 'application/json', origin: server.url };
    const send = () => sendRawRequest(server.url + path, { method: 'POST', headers, endless: 30_000_000 });
    return expectUndisturbed(neighbour, () => Promise.all([send(), send(), send()]));
  });

  test.each(selectAttacks(doors, 1))('while %s is asked a hundred times at once', (path, body) => {
    const headers = { 'content-type': 'application/json', origin: server.url };
    const ask = () => server.request(path, { method: 'POST', headers, body }).then((answer) => answer.text());
    return expectUndisturbed(neighbour, async () => {
      for (let at = 0; at < 10; at += 1) await Promise.all(Array.from({ length: 10 }, ask));
    });
  });

  test.each(selectByDepth(['/sse', '/v1/events', '/mcp'], ['/sse']))(
    'while a key opens every stream it can get at %s',
    (path) => {
      const headers = { authorization: `Bearer ${server.key}`, accept: 'text/event-stream' };
      return expectUndisturbed(neighbour, async () => {
        const left = new AbortController();
        const open = () => server.request(path, { headers, signal: left.signal }).then(({ status }) => status);
        for (let at = 0; at < 10; at += 1) await Promise.all(Array.from({ length: 10 }, open));
        left.abort();
      });
    },
  );
});

test('another host is resolved as fast as ever while a hundred names never resolve', async () => {
  const { byNetwork } = createResolvers({ servers: [dns.address], timeoutMs: 1_000 });
  await expectUndisturbed({ call: () => byNetwork('public.example') }, () =>
    Promise.allSettled(Array.from({ length: 100 }, (_, at) => byNetwork(`hangs${at}.example`))),
  );
});
