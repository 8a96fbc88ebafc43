import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress } from '#platform/egress';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProviderClient } from './provider-client.ts';

/** GraphQL: the write succeeded, but a part of its result may not be read. */
const answer = {
  data: { create_item: { id: '1' } },
  errors: [{ message: 'Not authenticated to read this field', extensions: { code: 'UNAUTHENTICATED' } }],
};

let posts = 0;
let url = '';
const service = createServer((_request, response) => {
  posts += 1;
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`; // a listening TCP server has one
});
afterAll(() => void service.close());

test('a request that succeeded in part is not repeated with another token', async () => {
  const egress = createEgress({ allow: [url] });
  const credential = (_workspace: string, _connection: string, refused = 'first') => {
    const value = `token after ${refused}`;
    return Promise.resolve({ value, headers: { authorization: value }, query: {}, place: 'header' as const });
  };
  const client = createProviderClient({
    egress,
    tokens: { credential, accessToken: () => Promise.resolve('') },
    clients: { findBaseUrl: () => url, listed: [] } as never, // only these fields are used
  });
  const link = { workspaceId: 'w', connectionId: 'c', provider: 'monday' };
  const request = {
    method: 'POST',
    url: `${url}/v2`,
    body: { query: 'mutation' },
    refusedWhen: { at: 'errors' },
  } as const;
  await expect(client.send(link, request)).rejects.toMatchObject({ delivery: 'maybe_sent' });
  expect(posts).toBe(1);
  await egress.close();
});
