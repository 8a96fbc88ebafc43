// The host of a custom provider's page is looked up before a browser is sent there (SE-060).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEgressByNames, type EgressByNames } from '../../../../tests/support/egress-by-names.ts';
import { startOauth } from './start-oauth.ts';

let names: EgressByNames;
beforeAll(async () => {
  names = await startEgressByNames({ 'login.example': '93.184.216.34', 'inside.example': '192.168.1.1' });
});
afterAll(async () => {
  await names.close();
});

function start(host: string, isListed = false) {
  const clients = { isListed: () => isListed } as never; // after the transaction nothing else of them is used
  const operation = startOauth({ clients, egress: names.egress } as never);
  const begun = { client: { provider: { name: 'custom' } }, url: `https://${host}/authorize?client_id=x` };
  return operation.afterCommit!({} as never, begun, {});
}

test('nobody is sent to a page whose name leads into a private network', async () => {
  await expect(start('inside.example')).rejects.toThrow(/An address of inside\.example is in the private range/);
});

test('the page of a provider at a public address is answered', async () => {
  expect(await start('login.example')).toEqual({ authorization_url: 'https://login.example/authorize?client_id=x' });
});

test('a provider of this server is at the operator’s address, wherever that is', async () => {
  expect(await start('inside.example', true)).toMatchObject({ authorization_url: /inside/ });
});
