// Both hosts of a consent are looked up before a browser or a code is sent there (SE-060).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEgressByNames, type EgressByNames } from '../../../../tests/support/egress-by-names.ts';
import { getVariableConsents } from './consents.ts';

let names: EgressByNames;
beforeAll(async () => {
  names = await startEgressByNames({ 'login.example': '93.184.216.34', 'inside.example': '172.16.0.9' });
});
afterAll(async () => {
  await names.close();
});

function check(authorize: string, token: string, known: string | null = null) {
  const providers = { google: { baseUrl: 'http://127.0.0.1:9' }, hubspot: { baseUrl: null } };
  const config = { publicUrl: 'https://thalamus.example', providers };
  const consents = getVariableConsents({ egress: names.egress, config } as never); // this check needs nothing else
  const [authorizeUrl, tokenUrl] = [`https://${authorize}/authorize`, `https://${token}/token`];
  return consents.check({ label: 'Acme', authorizeUrl, tokenUrl, authorizeWith: {}, known, apiHosts: [] });
}

test('a consent whose page or token endpoint leads into a private network is not started', async () => {
  const refused = /An address of inside\.example is in the private range/;
  await expect(check('inside.example', 'login.example')).rejects.toThrow(refused);
  await expect(check('login.example', 'inside.example')).rejects.toThrow(refused);
});

test('a consent at public addresses is started, and one at the operator’s own address of a known provider', async () => {
  await check('login.example', 'login.example');
  await check('inside.example', 'inside.example', 'google');
});
