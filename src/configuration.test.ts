import { expect, test } from 'vitest';
import { configurableProviders } from '#providers';
import { readConfig, settings } from './configuration.ts';

test('the settings of every provider follow from the list of providers alone', () => {
  const named = Object.keys(settings).filter((name) => /_(BASE_URL|CLIENT_ID|CLIENT_SECRET)$/.test(name));
  const ownNames = /^THALAMUS_(OIDC|LLM|EMBEDDINGS|GROQ|WEB)_/;
  expect(named.filter((name) => !ownNames.test(name)).toSorted()).toEqual(
    configurableProviders
      .flatMap(({ name, hasHosts, hasClient }) => [
        ...(hasHosts ? [`THALAMUS_${name.toUpperCase()}_BASE_URL`] : []),
        ...(hasClient
          ? [`THALAMUS_${name.toUpperCase()}_CLIENT_ID`, `THALAMUS_${name.toUpperCase()}_CLIENT_SECRET`]
          : []),
      ])
      .toSorted(),
  );
});

test('operators keep the settings that they know', () => {
  const names = ['GOOGLE', 'MICROSOFT', 'GITHUB', 'LINEAR', 'MONDAY', 'NOTION', 'SLACK', 'DISCORD'];
  const wanted = names.flatMap((name) =>
    ['BASE_URL', 'CLIENT_ID', 'CLIENT_SECRET'].map((kind) => `THALAMUS_${name}_${kind}`),
  );
  const known = [...wanted, 'THALAMUS_TELEGRAM_BASE_URL', 'THALAMUS_HUBSPOT_BASE_URL'];
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(known));
  const { providers } = readConfig(Object.fromEntries(known.map((name) => [name, 'https://example.com'])));
  expect(providers['hubspot']).toEqual({ baseUrl: 'https://example.com', clientId: null, clientSecret: null });
  expect(providers['slack']?.clientSecret).toBe('https://example.com');
});
