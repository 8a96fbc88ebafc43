import { expect, test } from 'vitest';
import { describeNextStep, listSetupSteps } from './setup-steps.ts';
import { providerNames, providers } from './signatures/providers.ts';

const url = 'https://thalamus.example.com/v1/webhook/slug';

test.each(providerNames)('the setup of %s names the address and its secret, in a few short steps', (provider) => {
  const steps = listSetupSteps({ provider, scheme: 'provider', signature_settings: {} }, url);
  expect(steps.join(' ')).toContain(url);
  expect(steps.join(' ')).toMatch(
    providers[provider].secret === 'ours' ? /the secret of this connector/ : /this connector/i,
  );
  expect(steps.length).toBeLessThanOrEqual(4);
  expect(Math.max(...steps.map((step) => step.replace(url, '').length))).toBeLessThan(150);
});

test('the setup of another sender names the header, the prefix and the encoding of its signature', () => {
  const settings = { header: 'X-Tide-Signature', prefix: 'v1=', encoding: 'base64' } as const;
  const own = listSetupSteps({ provider: null, scheme: 'hmac_sha256', signature_settings: settings }, url);
  expect(own.at(-1)).toBe('It sends the signature in the header X-Tide-Signature: v1=<base64 digest>.');
  const usual = listSetupSteps({ provider: null, scheme: 'hmac_sha256', signature_settings: {} }, url);
  expect(usual.at(-1)).toBe('It sends the signature in the header X-Signature: <hex digest>.');
});

test('the next step for a connector without a secret names none', () => {
  expect(describeNextStep({ scheme: 'none' })).toMatch(/^Give ingest_url to the sender/);
  expect(describeNextStep({ scheme: 'hmac_sha256' })).toMatch(/^Give ingest_url and the secret to the sender/);
});
