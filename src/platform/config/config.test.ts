import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, createConfiguration } from './index.ts';

const { settings, readConfig } = createConfiguration([
  { name: 'google', label: 'Google', hasHosts: true, hasClient: true },
  { name: 'telegram', label: 'Telegram', hasHosts: true, hasClient: false },
  { name: 'ics', label: 'iCal', hasHosts: false, hasClient: false },
]);

const key = Buffer.alloc(32, 1).toString('base64');

test('an empty environment gives a server for this computer only', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 4747,
    publicUrl: 'http://localhost:4747',
    dataDir: resolve('data'),
    isProduction: false,
    isSecure: false,
    databaseUrl: null,
    bootstrapKey: null,
    masterKey: null,
    previousMasterKey: null,
    egressAllow: [],
    webBaseUrl: null,
    rateLimit: 60_000,
    logLevel: 'info',
    providers: { google: { baseUrl: null, clientId: null, clientSecret: null } },
  });
});

test('an empty value counts as no value', () => {
  expect(readConfig({ PORT: '', THALAMUS_MASTER_KEY: '', DATABASE_URL: '' })).toEqual(readConfig({}));
});

test('the public address includes the port, and loses its trailing slash', () => {
  expect(readConfig({ PORT: '4801' }).publicUrl).toBe('http://localhost:4801');
  const environment = { THALAMUS_PUBLIC_URL: 'https://brain.example.com/', THALAMUS_MASTER_KEY: key };
  expect(readConfig(environment).publicUrl).toBe('https://brain.example.com');
});

test.each(['https://example.com/thalamus', 'https://example.com/?a=b', 'https://example.com/#x'])(
  'a public address with more than a host is refused at the start (%s)',
  (url) => {
    const start = () => readConfig({ THALAMUS_PUBLIC_URL: url, THALAMUS_MASTER_KEY: key });
    expect(start).toThrow('THALAMUS_PUBLIC_URL: must have no path: use a separate host name or port for Thalamus');
  },
);

test('a list of targets is read with any separator', () => {
  const { egressAllow } = readConfig({ THALAMUS_EGRESS_ALLOW: 'http://127.0.0.1:11434, http://10.0.0.1:80\nhttp://a' });
  expect(egressAllow).toEqual(['http://127.0.0.1:11434', 'http://10.0.0.1:80', 'http://a']);
});

const bad: [name: string, value: string][] = [
  ['NODE_ENV', 'prod'],
  ['PORT', 'http'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['THALAMUS_PUBLIC_URL', 'brain.example.com'],
  ['THALAMUS_PUBLIC_URL', 'ftp://brain.example.com'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['THALAMUS_DATABASE_POOL', '1'],
  ['THALAMUS_BOOTSTRAP_KEY', 'cm_short'],
  ['THALAMUS_BOOTSTRAP_KEY', `sk_${'x'.repeat(40)}`],
  ['THALAMUS_MASTER_KEY', 'password'],
  ['THALAMUS_MASTER_KEY', Buffer.alloc(16).toString('base64')],
  ['THALAMUS_MASTER_KEY_PREVIOUS', 'password'],
  ['THALAMUS_RATE_LIMIT', '0'],
  ['THALAMUS_SEARCH_MEMORY_MB', 'much'],
  ['THALAMUS_LOG_LEVEL', 'loud'],
  ['THALAMUS_SEND_TIMEOUT_SECONDS', '0'],
  ['THALAMUS_SETTLE_AFTER_SECONDS', '3601'],
  ['THALAMUS_GOOGLE_BASE_URL', 'localhost'],
];

test.for(bad)('the setting %s=%s is refused by name, with an example', ([name, value]) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`\n  ${name}: `);
  expect(read).toThrow(`Example: ${name}=${settings[name]?.example}`);
});

test('the error names every bad variable at once, and repeats no secret value', () => {
  const read = () => readConfig({ PORT: 'x', THALAMUS_MASTER_KEY: 'hunter2', THALAMUS_BOOTSTRAP_KEY: 'cm_hunter2' });
  expect(read).toThrow(/PORT: .*\n {2}THALAMUS_BOOTSTRAP_KEY: .*\n {2}THALAMUS_MASTER_KEY: /s);
  expect(read).not.toThrow(/hunter2/);
});

test('each provider gets the settings that it has a use for, and no others', () => {
  const ofProviders = Object.keys(settings).filter((name) => /GOOGLE|TELEGRAM_BASE|_ICS_/.test(name));
  expect(ofProviders).toEqual([
    'THALAMUS_GOOGLE_BASE_URL',
    'THALAMUS_GOOGLE_CLIENT_ID',
    'THALAMUS_GOOGLE_CLIENT_SECRET',
    'THALAMUS_TELEGRAM_BASE_URL',
  ]);
  const { google } = readConfig({
    THALAMUS_GOOGLE_BASE_URL: 'http://127.0.0.1:4600/',
    THALAMUS_GOOGLE_CLIENT_ID: 'id',
  }).providers;
  expect(google).toEqual({ baseUrl: 'http://127.0.0.1:4600', clientId: 'id', clientSecret: null });
  expect(() => readConfig({ THALAMUS_ICS_BASE_URL: 'http://127.0.0.1:4600' })).toThrow(
    /THALAMUS_ICS_BASE_URL: there is no such/,
  );
});

test('an unknown name with our prefix is refused, and names of the command line are accepted', () => {
  expect(() => readConfig({ THALAMUS_PORT: '4801' })).toThrow('THALAMUS_PORT: there is no such setting');
  expect(() => readConfig({ THALAMUS_URL: 'http://x', THALAMUS_KEY: 'cm_x', PATH: '/bin', OTHER: '1' })).not.toThrow();
});

describe('production', () => {
  test.for([{ NODE_ENV: 'production' }, { THALAMUS_PUBLIC_URL: 'https://brain.example.com' }])(
    'a server with %j needs a master key',
    (environment) => {
      expect(() => readConfig(environment)).toThrow(/^THALAMUS_MASTER_KEY is required in production/);
      expect(readConfig({ ...environment, THALAMUS_MASTER_KEY: key })).toMatchObject({
        isProduction: true,
        masterKey: key,
      });
    },
  );

  test.for(['http://localhost:4747', 'http://127.0.0.1:80', 'http://[::1]:4747'])(
    'does not include the address %s',
    (url) => {
      expect(readConfig({ THALAMUS_PUBLIC_URL: url }).isProduction).toBe(false);
    },
  );
});
