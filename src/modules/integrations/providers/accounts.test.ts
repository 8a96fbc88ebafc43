import { settings } from '#platform/config';
import { expect, test } from 'vitest';
import { providers as all } from './index.ts';

const providers = all.map(({ account }) => account);

test('providers are data: they can be written as JSON and read again', () => {
  expect(JSON.parse(JSON.stringify(providers))).toEqual(providers);
});

test('every provider has a name of its own, and settings for what the operator can set', () => {
  expect(new Set(providers.map(({ name }) => name)).size).toBe(providers.length);
  const wanted = providers.flatMap(({ name, oauth, identity }) => [
    ...(identity ? [`THALAMUS_${name.toUpperCase()}_BASE_URL`] : []),
    ...(oauth ? [`THALAMUS_${name.toUpperCase()}_CLIENT_ID`, `THALAMUS_${name.toUpperCase()}_CLIENT_SECRET`] : []),
  ]);
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(wanted));
});

test.each(providers)(
  '$name can be linked in a way, and a person can end it somewhere',
  ({ oauth, token, ownPage, identity }) => {
    expect(oauth ?? token).not.toBeNull();
    if (identity) expect(ownPage?.url).toMatch(/^https:/);
    if (oauth) expect(oauth.revoke ?? ownPage).not.toBeNull();
  },
);

test.each(providers)('$name is reached by https alone', (provider) => {
  const urls = JSON.stringify(provider).match(/"(https?:[^"]+)"/g) ?? [];
  expect(urls.filter((url) => !url.startsWith('"https:'))).toEqual([]);
});

test.each(providers.filter(({ identity }) => identity))(
  '$name asks whose account it is at a host of its API',
  (provider) => {
    const host = new URL(provider.identity!.request.url.replaceAll('{token}', 't')).hostname;
    expect(provider.apiDomains.some((domain) => host === domain || host.endsWith(`.${domain}`))).toBe(true);
  },
);
