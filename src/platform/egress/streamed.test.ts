import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { createEgress, type EgressRequest } from './index.ts';
import { startServer, startTcpServer, type LocalServer } from './local-server.ts';
import { createRemover, listValueForms, removeFrom, removeFromAnswer } from './remove-values.ts';

type AnswerRequest = Parameters<typeof startServer>[0];
let server: Omit<LocalServer, 'ledger'> & { ledger?: LocalServer['ledger'] };
const egress = createEgress({ allow: [] });
afterEach(() => server?.close());

async function open(answer: AnswerRequest, more: Partial<EgressRequest> = {}) {
  server = await startServer(answer);
  return ask(more);
}
const ask = (more: Partial<EgressRequest> = {}) =>
  egress.stream({ method: 'GET', url: `${server.origin}/x`, allow: [server.origin], ...more });
const matchFailure = (errorCategory: string) =>
  expect.objectContaining({ diagnostics: expect.objectContaining({ errorCategory }) });
const readStream = (body: ReadableStream) => new Response(body).text();

test('a streamed answer is available before it is complete', async () => {
  const goOn = Promise.withResolvers<void>();
  const { status, url, body } = await open(async (_entry, response) => {
    response.write('one');
    await goOn.promise;
    response.end(' two');
  });
  expect([status, url]).toEqual([200, `${server.origin}/x`]);
  goOn.resolve();
  expect(await readStream(body)).toBe('one two');
  expect(server.ledger?.[0]?.headers['accept-encoding']).toBe('identity');
});

test('more bytes than allowed end the answer, and exactly as many do not', async () => {
  const inParts: AnswerRequest = (_entry, response) => {
    for (let part = 0; part < 5; part += 1) response.write('x'.repeat(200));
    response.end();
  };
  const { body } = await open(inParts, { maxBytes: 999 });
  await expect(readStream(body)).rejects.toEqual(matchFailure('too_large'));
  expect(await readStream((await ask({ maxBytes: 1000 })).body)).toHaveLength(1000);
});

test('an answer with too large a Content-Length is not read at all, except for HEAD', async () => {
  const opening = open((_entry, response) => response.writeHead(200, { 'content-length': 5000 }).flushHeaders(), {
    maxBytes: 1000,
  });
  await expect(opening).rejects.toMatchObject({ diagnostics: { errorCategory: 'too_large', status: 200 } });
  const { headers, body } = await ask({ method: 'HEAD', maxBytes: 1000 });
  expect(headers).toMatchObject({ 'content-length': '5000' });
  await body.cancel();
});

test('an answer that is compressed although the request forbids it is refused', async () => {
  const opening = open((_entry, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(1_000_000))),
  );
  await expect(opening).rejects.toEqual(matchFailure('bad_response'));
});

test('the timeout covers the whole body', async () => {
  const dripping: AnswerRequest = async (_entry, response) => {
    while (!response.destroyed) {
      response.write('one');
      await wait(20);
    }
  };
  const { body } = await open(dripping, { timeoutMs: 150 });
  await expect(readStream(body)).rejects.toEqual(matchFailure('timeout'));
});

test.each<[string, AnswerRequest]>([
  ['before the headers', () => {}],
  ['after the headers', (_entry, response) => response.flushHeaders()],
  ['in the middle of the body', (_entry, response) => void response.write('one')],
])(
  'the client disconnects from a server that falls silent %s long before the total time limit',
  async (_when, answer) => {
    const begun = performance.now();
    const reading = open(answer, { idleMs: 100 }).then(({ body }) => readStream(body));
    await expect(reading).rejects.toEqual(matchFailure('timeout'));
    await expect(reading).rejects.toThrow('No data of the answer came for 0.1 s');
    expect(performance.now() - begun).toBeLessThan(2_000);
  },
);

test('a server that is slow but not silent may continue, and so may a slow reader', async () => {
  const inParts: AnswerRequest = async (_entry, response) => {
    for (let part = 0; part < 5; part += 1) {
      response.write(Buffer.alloc(300_000, 'x'));
      await wait(60);
    }
    response.end();
  };
  const { body } = await open(inParts, { idleMs: 150, maxBytes: 2_000_000 });
  let length = 0;
  for await (const chunk of body) {
    if (length === 0) await wait(400); // longer than the server may be silent
    length += chunk.length;
  }
  expect(length).toBe(1_500_000);
});

test('the server is slowed down until the reader reads', async () => {
  let sent = 0;
  const endless: AnswerRequest = async (_entry, response) => {
    const closed = once(response, 'close');
    while (!response.destroyed) {
      sent += 100_000;
      if (!response.write(Buffer.alloc(100_000))) await Promise.race([once(response, 'drain'), closed]);
    }
  };
  const { body } = await open(endless, { maxBytes: 1_000_000_000 });
  const reader = body.getReader();
  await reader.read();
  await wait(300); // until all buffers are full
  const pausedAt = sent;
  await wait(200);
  expect(sent).toBe(pausedAt);
  expect(sent).toBeLessThan(20_000_000); // the data that fits into the sockets of the system
  await reader.cancel();
});

test.each<[string, (abort: () => void, body: ReadableStream) => unknown]>([
  ['the reader stops', (_abort, body) => body.cancel()],
  ['the caller aborts', (abort) => abort()],
])('when %s the connection is closed', async (_what, stop) => {
  const closed = Promise.withResolvers<void>();
  const controller = new AbortController();
  const begun: AnswerRequest = (_entry, response) => {
    response.on('close', () => closed.resolve());
    response.write('one');
  };
  const { body } = await open(begun, { signal: controller.signal });
  await stop(() => controller.abort(), body);
  if (controller.signal.aborted) await expect(readStream(body)).rejects.toEqual(matchFailure('cancelled'));
  await closed.promise;
});

test.each([
  ['shorter than it announced', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfour'],
  ['cut within its parts', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nfour\r\n8\r\nfo'],
])('an answer that is %s fails, whatever arrived of it', async (_what, answer) => {
  server = await startTcpServer((socket) => socket.once('data', () => socket.end(answer)));
  const { body } = await ask();
  await expect(readStream(body)).rejects.toMatchObject({ name: 'EgressError', delivery: 'maybe_sent' });
});

test('redirects follow the rules of every request', async () => {
  const steps: Record<string, [number, string]> = {
    '/x': [302, '/y'],
    '/y': [307, '/z'],
    '/out': [302, 'http://10.0.0.1/'],
  };
  const { url, body } = await open((entry, response) => {
    const [status, location] = steps[entry.url] ?? [];
    if (status) response.writeHead(status, { location }).end('moved');
    else response.end('arrived');
  });
  expect([url, await readStream(body)]).toEqual([`${server.origin}/z`, 'arrived']);
  await expect(ask({ redirects: 'refuse' })).rejects.toEqual(matchFailure('blocked'));
  await expect(ask({ url: `${server.origin}/out` })).rejects.toEqual(matchFailure('blocked'));
});

test('an endless redirect ends after five steps', async () => {
  const opening = open((_entry, response) => void response.writeHead(302, { location: '/x' }).end());
  await expect(opening).rejects.toEqual(matchFailure('blocked'));
  expect(server.ledger).toHaveLength(6);
});

test('a private address is refused before anything is sent', async () => {
  const opening = open((_entry, response) => void response.end('x'), { allow: [] });
  await expect(opening).rejects.toMatchObject({ delivery: 'not_sent', diagnostics: { errorCategory: 'blocked' } });
  expect(server.ledger).toEqual([]);
});

test('a handle becomes its secret, and the answer’s secrets are redacted wherever they are cut', async () => {
  const handle = `sec_${'a1'.repeat(12)}`;
  const said = `echo tulip/4711, ${Buffer.from('tulip/4711').toString('base64')} and tulip%2F4711.`;
  server = await startServer(async (_entry, response) => {
    response.setHeader('x-echo', 'tulip/4711');
    for (const letter of said) {
      response.write(letter);
      await wait(1);
    }
    response.end();
  });
  const secret = { handle, value: 'tulip/4711', placements: ['header'], hosts: [`127.0.0.1:${server.port}`] };
  const { headers, body } = await ask({ headers: { 'x-key': handle }, handles: [secret] });
  expect(server.ledger?.[0]?.headers['x-key']).toBe('tulip/4711');
  expect(headers['x-echo']).toBe('[redacted]');
  expect(await readStream(body)).toMatch(/^echo \[redacted\], \[redacted\]\S* and \[redacted\]\.$/);
  const unknown = ask({ headers: { 'x-key': handle }, handles: [] });
  await expect(unknown).rejects.toMatchObject({ delivery: 'not_sent', diagnostics: { errorCategory: 'secret' } });
});

test('pieces are redacted like the whole', () => {
  const values = listValueForms(['abcabc', 'abca', 'cab']);
  const whole = Buffer.from('xxabcabcabcabcxabcaxcabcabxab');
  const expected = Buffer.from(removeFrom(whole, values)).toString();
  for (let size = 1; size <= whole.length; size += 1) {
    const remover = createRemover(values);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < whole.length; at += size) pieces.push(remover.pass(whole.subarray(at, at + size)));
    expect(Buffer.concat([...pieces, remover.rest()]).toString()).toBe(expected);
  }
});

test('of overlapping values no part remains, however the answer is cut', () => {
  const values = listValueForms(['ghp_SuperSecret', 'Bearer gh', 'cret"}']);
  const whole = Buffer.from('{"said":"Bearer ghp_SuperSecret"} and ghp_SuperSecret.');
  const expected = '{"said":"[redacted] and [redacted].';
  expect(Buffer.from(removeFrom(whole, values)).toString()).toBe(expected);
  for (let size = 1; size <= whole.length; size += 1) {
    const remover = createRemover(values);
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < whole.length; at += size) pieces.push(remover.pass(whole.subarray(at, at + size)));
    expect(Buffer.concat([...pieces, remover.rest()]).toString()).toBe(expected);
  }
});

test('every byte of every value is redacted, and no other, also from pieces', () => {
  const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength });
  fc.assert(
    fc.property(fc.array(letters(5), { minLength: 1, maxLength: 3 }), letters(40), fc.nat(8), (given, text, more) => {
      const values = listValueForms(given); // such short letters are searched for without case folding
      const isCut = [...text].map((_letter, at) =>
        values.some((form) => {
          const value = form.toString('latin1');
          return [...value].some((_one, before) => text.startsWith(value, at - before) && at - before >= 0);
        }),
      );
      const expected = [...text].map((letter, at) => (isCut[at] ? '|' : letter)).join('');
      const runs = (redacted: string) => redacted.replaceAll('[redacted]', '|').replaceAll(/\|+/g, '|');
      const whole = Buffer.from(removeFrom(Buffer.from(text), values)).toString();
      expect(runs(whole)).toBe(runs(expected));
      const remover = createRemover(values);
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < text.length; at += more + 1)
        pieces.push(remover.pass(Buffer.from(text.slice(at, at + more + 1))));
      expect(Buffer.concat([...pieces, remover.rest()]).toString()).toBe(whole);
    }),
    { numRuns: 2_000 },
  );
});

test('a value in the name of a header is redacted, although names arrive in lower case', () => {
  const answer = {
    status: 200,
    url: 'https://api.example.com/',
    headers: { 'x-ghp_supersecret': '1' },
    body: Buffer.from('x'),
  };
  expect(removeFromAnswer(answer, listValueForms(['ghp_SuperSecret'])).headers).toEqual({ 'x-[redacted]': '1' });
});
