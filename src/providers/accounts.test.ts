import { expect, test } from 'vitest';
import { accountProviders as providers, configurableProviders } from './index.ts';

test('providers are data: they can be written as JSON and read again', () => {
  expect(JSON.parse(JSON.stringify(providers))).toEqual(providers);
});

test('every provider has its own name, also those without accounts', () => {
  const names = configurableProviders.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test.each(providers)(
  'the provider $name has a way to link, and a place where a person disconnects it',
  ({ oauth, token, ownPage, identity }) => {
    expect(oauth ?? token).not.toBeNull();
    if (identity) expect(ownPage?.url).toMatch(/^https:/);
    if (oauth) expect(oauth.revoke ?? ownPage).not.toBeNull();
  },
);

test.each(providers)('the provider $name uses https only', (provider) => {
  const urls = JSON.stringify(provider).match(/"(https?:[^"]+)"/g) ?? [];
  expect(urls.filter((url) => !url.startsWith('"https:'))).toEqual([]);
});

test.each(providers.filter(({ identity }) => identity))(
  'the provider $name looks up the account’s owner at a host of its API',
  (provider) => {
    const host = new URL(provider.identity!.request.url.replaceAll('{token}', 't')).hostname;
    expect(provider.apiDomains.some((domain) => host === domain || host.endsWith(`.${domain}`))).toBe(true);
  },
);
