import { afterEach, expect, test } from 'vitest';
import { createEgress, type EgressRequest } from './index.ts';
import { startServer, type LocalServer } from './local-server.ts';

let server: LocalServer;
const egress = createEgress({ allow: [] });
afterEach(() => server.close());

async function open(answer: Parameters<typeof startServer>[0], more: Partial<EgressRequest> = {}) {
  server = await startServer(answer);
  return egress.stream({ method: 'GET', url: `${server.origin}/x`, allow: [server.origin], ...more });
}

test('the answer is there before it is whole', async () => {
  const goOn = Promise.withResolvers<void>();
  const { status, body } = await open(async (_entry, response) => {
    response.write('one');
    await goOn.promise;
    response.end(' two');
  });
  expect(status).toBe(200);
  goOn.resolve();
  expect(await new Response(body).text()).toBe('one two');
  expect(server.ledger[0]?.headers['accept-encoding']).toBe('identity');
});

test('more bytes than allowed end it', async () => {
  const { body } = await open((_entry, response) => void response.end('x'.repeat(5000)), { maxBytes: 1000 });
  await expect(new Response(body).text()).rejects.toMatchObject({ diagnostics: { errorCategory: 'too_large' } });
});

test('the time-out holds to the end of the body', async () => {
  const { body } = await open((_entry, response) => void response.write('one'), { timeoutMs: 150 });
  await expect(new Response(body).text()).rejects.toMatchObject({ diagnostics: { errorCategory: 'timeout' } });
});

test('a redirect is refused', async () => {
  const opening = open((_entry, response) => void response.writeHead(302, { location: '/y' }).end());
  await expect(opening).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' } });
});

test('a private address is refused before anything leaves', async () => {
  const opening = open((_entry, response) => void response.end('x'), { allow: [] });
  await expect(opening).rejects.toMatchObject({ delivery: 'not_sent', diagnostics: { errorCategory: 'blocked' } });
  expect(server.ledger).toEqual([]);
});
