import * as fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Egress, type EgressRequest, createEgress } from './egress.ts';
import type { EgressError } from './egress-error.ts';
import type { Handle } from './handles.ts';
import { type LocalServer, startServer } from './local-server.ts';
import { decodeBodyText } from './response.ts';

const buildHandleName = (letter: string) => `sec_${letter.repeat(24)}`;
const [token, other] = [buildHandleName('A'), buildHandleName('B')];
const value = 'pä$$ "w/örd" +5e8c';

let server: LocalServer;
let elsewhere: LocalServer;
let egress: Egress;
/** The content of the next answers. */
let answer: (url: string) => { status?: number; headers?: Record<string, string>; body?: string | Buffer };
beforeEach(async () => {
  answer = () => ({});
  server = await startServer((entry, response) => {
    const { status = 200, headers = {}, body = '' } = answer(entry.url);
    response.writeHead(status, headers).end(body);
  });
  elsewhere = await startServer((_entry, response) => response.end('elsewhere'));
  egress = createEgress({ allow: [server.origin, elsewhere.origin] });
});
afterEach(async () => {
  await egress.close();
  await server.close();
  await elsewhere.close();
});

const getServerHost = () => new URL(server.origin).host;
const buildSecret = (placements: string[], over: Partial<Handle> = {}): Handle => ({
  handle: token,
  value: 'v4lue-of-the-secret',
  placements,
  hosts: [getServerHost()],
  ...over,
});
const send = (request: Partial<EgressRequest>, handles: readonly Handle[] = [buildSecret(['header'])]) =>
  egress.request({ method: 'GET', url: `${server.origin}/x`, ...request, handles });

async function expectRefused(request: Partial<EgressRequest>, handles: readonly Handle[], message: RegExp) {
  const error = await send(request, handles).catch((thrown: EgressError) => thrown);
  expect(error).toMatchObject({ name: 'EgressError', code: 'invalid_input', delivery: 'not_sent' });
  expect((error as EgressError).message).toMatch(message);
  expect((error as EgressError).diagnostics.errorCategory).toBe('secret');
  expect(server.ledger).toEqual([]);
}

describe('a handle is replaced by its value', () => {
  test('in a header', async () => {
    await send({ headers: { authorization: `Bearer ${token}` } });
    expect(server.ledger[0]?.headers.authorization).toBe('Bearer v4lue-of-the-secret');
  });

  test('inside the base64 of Basic', async () => {
    const basic = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`;
    await send({ headers: { authorization: basic(`ada:${token}`) } }, [buildSecret(['header'], { value })]);
    expect(server.ledger[0]?.headers.authorization).toBe(basic(`ada:${value}`));
  });

  test('in the path, a parameter, a form and a JSON field, each in its own encoding', async () => {
    const any = buildSecret(['path', 'query:key', 'form:code', 'json:auth.token'], { value });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const json = { 'content-type': 'application/json' };
    await send({ url: `${server.origin}/bot${token}/get?key=${token}&n=1` }, [any]);
    await send({ method: 'POST', headers: form, body: `a=b&code=x${token}` }, [any]);
    await send({ method: 'POST', headers: json, body: `{"n":1.0,"auth":{"token":"${token}"}}` }, [any]);
    const [url, formed, jsoned] = server.ledger;
    const read = new URL(url?.url ?? '', server.origin);
    expect(decodeURIComponent(read.pathname)).toBe(`/bot${value}/get`);
    expect([...read.searchParams]).toEqual([
      ['key', value],
      ['n', '1'],
    ]);
    expect(new URLSearchParams(formed?.body).get('code')).toBe(`x${value}`);
    expect(jsoned?.body).toBe(`{"n":1.0,"auth":{"token":${JSON.stringify(value)}}}`);
  });

  test('with any value, and everything else stays unchanged', async () => {
    const property = fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (any) => {
      server.ledger.length = 0;
      const handles = [buildSecret(['query', 'json'], { value: any })];
      const body = JSON.stringify({ deep: [{ a: `<${token}>` }], [token.slice(0, 5)]: 1 });
      const headers = { 'content-type': 'application/vnd.x+json; charset=utf-8' };
      await send({ method: 'POST', url: `${server.origin}/x?q=${token}`, headers, body }, handles);
      expect(new URL(server.ledger[0]?.url ?? '', server.origin).searchParams.get('q')).toBe(any.toWellFormed());
      expect(JSON.parse(server.ledger[0]?.body ?? '')).toEqual({ deep: [{ a: `<${any}>` }], [token.slice(0, 5)]: 1 });
    });
    await fc.assert(property, { numRuns: 60 });
  });

  test('only where a call allows handles', async () => {
    await egress.request({ method: 'POST', url: server.origin, headers: { 'x-note': token }, body: token });
    expect(server.ledger[0]).toMatchObject({ body: token, headers: { 'x-note': token } });
  });
});

describe('a request is refused', () => {
  const json = { 'content-type': 'application/json' };
  const wrong: [string, Partial<EgressRequest>, RegExp][] = [
    ['a parameter', { url: `https://x.example/?q=${token}` }, /may not be in the query q. Allowed: header/],
    ['the path', { url: `https://x.example/${token}` }, /may not be in the path/],
    ['the name of a parameter', { url: `https://x.example/?${token}=1` }, /name of a parameter/],
    ['plain text', { method: 'POST', body: `Say ${token}` }, /neither a form nor JSON/],
    ['bytes', { method: 'POST', body: Buffer.from(`x${token}`) }, /neither a form nor JSON/],
    ['a field', { method: 'POST', headers: json, body: `{"text":"${token}"}` }, /may not be in the json text/],
    [
      'a name in JSON',
      { method: 'POST', headers: json, body: `{"${token}":"${token}"}` },
      /not in the text of a field/,
    ],
    [
      'a hidden field',
      { method: 'POST', headers: json, body: `{"a":"${token}","a":""}` },
      /not in the text of a field/,
    ],
  ];
  test.for(wrong)('when a handle is in %s', async ([, request, message]) => {
    const url = request.url?.replace('https://x.example', server.origin) ?? server.origin;
    await expectRefused({ ...request, url }, [buildSecret(['header'])], message);
  });

  test('when the handle’s listed header is another one', async () => {
    const headers = { 'x-other': token };
    await expectRefused({ headers }, [buildSecret(['header:X-Api-Key'])], /may not be in the header x-other/);
    await send({ headers: { 'x-api-key': token } }, [buildSecret(['header:X-Api-Key'])]);
  });

  test('to a host outside the handle’s hosts, or without any hosts', async () => {
    const headers = { authorization: token };
    await expectRefused(
      { headers },
      [buildSecret(['header'], { hosts: ['api.example.com'] })],
      /allowed hosts: api.example.com/,
    );
    await expectRefused({ headers }, [buildSecret(['header'], { hosts: ['127.0.0.1'] })], /may not be sent to 127/);
    await expectRefused({ headers }, [buildSecret(['header'], { hosts: [] })], /no hosts yet/);
  });

  test('when the handle is unknown, inside Basic too', async () => {
    const coded = Buffer.from(`ada:${other}`).toString('base64');
    await expectRefused(
      { headers: { authorization: `Basic ${coded}` } },
      [buildSecret(['header'])],
      /not a handle that this caller/,
    );
    await expectRefused({ method: 'POST', body: other }, [], /not a handle that this caller/);
  });

  test('when the value would break out of the header or the path', async () => {
    const headers = { authorization: token };
    await expect(send({ headers }, [buildSecret(['header'], { value: 'a\r\nb: c' })])).rejects.toThrow(
      /header authorization/,
    );
    const url = `${server.origin}/a/${token}/b`;
    await expect(send({ url }, [buildSecret(['path'], { value: '..' })])).rejects.toThrow(/cannot be part of a path/);
    expect(server.ledger).toEqual([]);
  });
});

describe('a redirect is checked again', () => {
  const to = (location: string) => {
    answer = (url) => (url.startsWith('/x') ? { status: 302, headers: { location } } : { body: 'there' });
  };

  test('and keeps the value on the same host', async () => {
    to('/y');
    expect(decodeBodyText(await send({ headers: { authorization: token } }))).toBe('there');
    expect(server.ledger.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('v4lue-of-the-secret'));
  });

  test('and loses the value on another host; a parameter that the answer repeats is refused there', async () => {
    to(`${elsewhere.origin}/y`);
    await send({ headers: { authorization: token } });
    expect(elsewhere.ledger[0]?.headers.authorization).toBeUndefined();
    const inQuery = [buildSecret(['query'], { value })];
    to(`${elsewhere.origin}/y?k=${encodeURIComponent(value)}`);
    await expect(send({ url: `${server.origin}/x?k=${token}` }, inQuery)).rejects.toThrow(/may not be sent to/);
    expect(elsewhere.ledger).toHaveLength(1);
    to(`/y?k=${encodeURIComponent(value)}`);
    const { url } = await send({ url: `${server.origin}/x?k=${token}` }, inQuery);
    expect(url).toBe(`${server.origin}/y?k=${token}`);
  });
});

describe('an answer', () => {
  const coded = (text: string, encoding: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(encoding);
  const echoes = (any: string): string[] => [
    any,
    encodeURIComponent(any),
    new URLSearchParams({ any }).toString(),
    JSON.stringify({ any }),
    JSON.stringify({ any }).replaceAll('/', String.raw`\/`),
    coded(any),
    coded(`user:${any}`),
    coded(`x${any}y`, 'base64url'),
    JSON.stringify({ any }).replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
  ];
  const [core, shifted] = ['w/örd', coded(`xx${value}`).slice(6, 20)];

  test.for(echoes(value))('contains no value, where the other side repeats %s', async (echo) => {
    answer = () => ({ headers: { 'content-type': 'text/plain', 'x-echo': encodeURI(value) }, body: `<${echo}>` });
    const { headers, body } = await send({ headers: { authorization: token } }, [
      buildSecret(['header'], { value: 'plain-secret-5e8c' }),
    ]);
    expect(decodeBodyText({ headers, body })).toBe(`<${echo}>`); // another value
    const asQuery = await send({ url: `${server.origin}/x?q=${token}` }, [buildSecret(['query'], { value })]);
    for (const text of [decodeBodyText(asQuery), asQuery.headers['x-echo'] ?? '']) {
      for (const trace of [core, encodeURIComponent(core), shifted, '5e8c']) expect(text).not.toContain(trace);
    }
    expect(asQuery.headers['content-length'] ?? asQuery.body.length).toEqual(
      asQuery.headers['content-length'] ? String(asQuery.body.length) : asQuery.body.length,
    );
  });

  test('contains no value when it comes compressed and in pieces, and binary bodies keep every other byte', async () => {
    const noise = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 256));
    const plain = Buffer.concat([noise, Buffer.from('v4lue-of-the-secret'), noise]);
    answer = () => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(plain) });
    const { body } = await send({ headers: { authorization: token } });
    expect(Buffer.from(body)).toEqual(Buffer.concat([noise, Buffer.from('[redacted]'), noise]));
    const pieces = await startServer((_entry, response) => {
      for (const letter of 'a v4lue-of-the-secret b') response.write(letter);
      response.end();
    });
    const handles = [buildSecret(['header'], { hosts: [new URL(pieces.origin).host] })];
    const request = { method: 'GET', url: pieces.origin, allow: [pieces.origin], headers: { authorization: token } };
    expect(decodeBodyText(await egress.request({ ...request, handles }))).toBe('a [redacted] b');
    await pieces.close();
  });

  test('contains none of several values, and keeps all text beside them', async () => {
    const alphabet = fc.string({
      unit: fc.constantFrom('0', '1', 'ö', '"', '/', '\\', '%', '+', '='),
      minLength: 6,
      maxLength: 12,
    });
    const property = fc.asyncProperty(
      fc.array(alphabet, { minLength: 1, maxLength: 4 }),
      fc.nat(8),
      async (values, which) => {
        const handles = values.map((each, at) =>
          buildSecret(['query'], { handle: buildHandleName('abcd'[at] ?? ''), value: each }),
        );
        answer = () => ({ body: values.map((each) => echoes(each)[which]).join(' | ') });
        const query = handles.map(({ handle }) => `k=${handle}`).join('&');
        const text = decodeBodyText(await send({ url: `${server.origin}/x?${query}` }, handles));
        for (const each of values) expect(text).not.toContain(each);
        expect(text).toContain('[redacted]');
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  test('contains no value in an error either', async () => {
    const broken = 'v4lue-of-the-secret\n';
    const error = await send({ headers: { authorization: token } }, [buildSecret(['header'], { value: broken })]).catch(
      (thrown: Error) => thrown,
    );
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('v4lue');
  });
});
