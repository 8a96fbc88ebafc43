// Each provider's requests, signed by its own library where there is one, and by its published examples.
import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { LinearWebhookClient } from '@linear/sdk/webhooks';
import { sign as signGithub } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { isValidSlackRequest } from '@slack/bolt';
import { Stripe } from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import twilio from 'twilio';
import { expect, test } from 'vitest';
import { getProvider, getSignatureRule, type Scheme } from './schemes.ts';
import { providerNames, type ProviderName } from './providers.ts';
import type { SignedRequest } from './rule.ts';
import { hashSigned, findSignatureError } from './verify.ts';

const at = new Date('2026-06-01T09:00:00Z');
const seconds = String(at.getTime() / 1_000);
const url = 'https://thalamus.example.com/v1/webhook/abc';
const computeHmac = (hash: string, key: string, encoding: 'hex' | 'base64', ...parts: string[]) =>
  createHmac(hash, key).update(parts.join('')).digest(encoding);
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const rawPublicKey = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
const whsec = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

type Signer = {
  secret: string;
  body: string;
  url?: string;
  type?: string;
  /** The headers that verify the request. */
  sign(body: string, secret: string): Record<string, string> | Promise<Record<string, string>>;
};
const json = JSON.stringify({ id: 'evt_1', text: 'A lantern — lit', webhookTimestamp: at.getTime() });
const form = 'Body=Hello+there&From=%2B15550100&MessageSid=SM1';
const secret = 'a-shared-secret';

const signers: Record<ProviderName, Signer> = {
  github: { secret, body: json, sign: async (b, s) => ({ 'x-hub-signature-256': await signGithub(s, b) }) },
  gitlab: { secret, body: json, sign: (_b, s) => ({ 'x-gitlab-token': s }) },
  stripe: {
    secret: whsec,
    body: json,
    sign: (payload, s) => ({
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: s, timestamp: Number(seconds) }),
    }),
  },
  slack: {
    secret,
    body: json,
    sign: (b, s) => ({
      'x-slack-request-timestamp': seconds,
      'x-slack-signature': `v0=${computeHmac('sha256', s, 'hex', `v0:${seconds}:`, b)}`,
    }),
  },
  linear: { secret, body: json, sign: (b, s) => ({ 'linear-signature': computeHmac('sha256', s, 'hex', b) }) },
  notion: {
    secret,
    body: json,
    sign: (b, s) => ({ 'x-notion-signature': `sha256=${computeHmac('sha256', s, 'hex', b)}` }),
  },
  shopify: { secret, body: json, sign: (b, s) => ({ 'x-shopify-hmac-sha256': computeHmac('sha256', s, 'base64', b) }) },
  hubspot: {
    secret,
    body: json,
    sign: (b, s) => ({
      'x-hubspot-request-timestamp': `${seconds}000`,
      'x-hubspot-signature-v3': computeHmac('sha256', s, 'base64', 'POST', url, b, `${seconds}000`),
    }),
  },
  twilio: {
    secret,
    body: form,
    type: 'application/x-www-form-urlencoded',
    sign: (b, s) => ({
      'x-twilio-signature': twilio.getExpectedTwilioSignature(s, url, Object.fromEntries(new URLSearchParams(b))),
    }),
  },
  discord: {
    secret: rawPublicKey,
    body: json,
    sign: (b) => ({
      'x-signature-timestamp': seconds,
      'x-signature-ed25519': signBytes(null, Buffer.from(seconds + b), privateKey).toString('hex'),
    }),
  },
  telegram: { secret, body: json, sign: (_b, s) => ({ 'x-telegram-bot-api-secret-token': s }) },
  zoom: {
    secret,
    body: json,
    sign: (b, s) => ({
      'x-zm-request-timestamp': seconds,
      'x-zm-signature': `v0=${computeHmac('sha256', s, 'hex', `v0:${seconds}:`, b)}`,
    }),
  },
  sentry: { secret, body: json, sign: (b, s) => ({ 'sentry-hook-signature': computeHmac('sha256', s, 'hex', b) }) },
  pagerduty: {
    secret,
    body: json,
    sign: (b, s) => ({ 'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${computeHmac('sha256', s, 'hex', b)}` }),
  },
  intercom: { secret, body: json, sign: (b, s) => ({ 'x-hub-signature': `sha1=${computeHmac('sha1', s, 'hex', b)}` }) },
  typeform: {
    secret,
    body: json,
    sign: (b, s) => ({ 'typeform-signature': `sha256=${computeHmac('sha256', s, 'base64', b)}` }),
  },
  svix: {
    secret: whsec,
    body: json,
    sign: (b, s) => ({
      'svix-id': 'msg_1',
      'svix-timestamp': seconds,
      'svix-signature': `v1,AAAA ${new SvixWebhook(s).sign('msg_1', at, b)}`,
    }),
  },
};

async function signRequest(name: ProviderName, change: { body?: string } = {}) {
  const { secret: key, body, sign, type = 'application/json', url: to = url } = signers[name];
  const headers = { 'content-type': type, ...(await sign(body, key)) };
  const request: SignedRequest = { method: 'POST', url: to, headers, body: Buffer.from(change.body ?? body), at };
  return { request, rule: getSignatureRule({ scheme: 'provider', provider: name, settings: {} }, key), key };
}

/** A token does not cover the body, and most rules do not cover the time. */
const tokens: readonly ProviderName[] = ['gitlab', 'telegram'];
const timed: readonly ProviderName[] = ['stripe', 'slack', 'linear', 'hubspot', 'discord', 'zoom', 'svix'];

test.each(providerNames)(
  'a request from %s is accepted, and refused with a flipped bit, a missing header or another secret',
  async (name) => {
    const { request, rule, key } = await signRequest(name);
    expect(findSignatureError(rule, key, request)).toBeNull();
    if (!tokens.includes(name)) {
      const bits = Array.from({ length: 20 }, (_none, i) => Math.floor((i * request.body.length * 8) / 20));
      for (const bit of bits) {
        const body = Buffer.from(request.body);
        body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(findSignatureError(rule, key, { ...request, body }), `bit ${bit}`).not.toBeNull();
      }
    }
    for (const header of Object.keys(request.headers).filter((each) => each !== 'content-type')) {
      const { [header]: value = '', ...others } = request.headers;
      expect(findSignatureError(rule, key, { ...request, headers: others }), header).not.toBeNull();
      const last = value.endsWith('0') ? '1' : '0';
      const flipped = { ...request.headers, [header]: `${value.slice(0, -1)}${last}` };
      if (!header.endsWith('timestamp') && !header.endsWith('-id'))
        expect(findSignatureError(rule, key, { ...request, headers: flipped }), header).not.toBeNull();
    }
    const other = name === 'discord' ? 'ab'.repeat(32) : name === 'svix' ? `whsec_${'A'.repeat(32)}` : 'another-secret';
    expect(findSignatureError(rule, other, request)).not.toBeNull();
    expect(findSignatureError(rule, null, request)).toContain('no secret');
  },
);

test.each(providerNames)('an id from %s that counts as signed cannot be changed', async (name) => {
  const { request, rule, key } = await signRequest(name);
  for (const place of getProvider(name).ids.filter(({ isSigned }) => isSigned)) {
    if ('header' in place && request.headers[place.header] === undefined) continue;
    const changed =
      'header' in place
        ? { ...request, headers: { ...request.headers, [place.header]: 'another' } }
        : { ...request, body: Buffer.from('{"id":"another"}') };
    expect(findSignatureError(rule, key, changed), JSON.stringify(place)).not.toBeNull();
  }
});

test.each(timed)('a request from %s is refused when it is too late or too early', async (name) => {
  const { request, rule, key } = await signRequest(name);
  for (const minutes of [6, -6])
    expect(findSignatureError(rule, key, { ...request, at: new Date(at.getTime() + minutes * 60_000) })).toMatch(
      /away from now/,
    );
});

test('Linear itself accepts what is accepted here', () => {
  const body = Buffer.from(JSON.stringify({ webhookTimestamp: Date.now() }));
  const signature = computeHmac('sha256', secret, 'hex', body.toString());
  expect(new LinearWebhookClient(secret).verify(body, signature)).toBe(true);
  const rule = getSignatureRule({ scheme: 'provider', provider: 'linear', settings: {} }, secret);
  const request = { method: 'POST', url, headers: { 'linear-signature': signature }, body, at: new Date() };
  expect(findSignatureError(rule, secret, request)).toBeNull();
});

test('Slack itself accepts what is accepted here, and nothing else', async () => {
  const { request, rule, key } = await signRequest('slack');
  const { 'x-slack-signature': signature = '', ...rest } = request.headers;
  const stamp = Number(rest['x-slack-request-timestamp']);
  for (const [sent, minutes] of [
    [signature, 0],
    [signature, 6],
    [signature.replace(/.$/, 'z'), 0],
  ] as const) {
    const now = at.getTime() + minutes * 60_000;
    const headers = { 'x-slack-signature': sent, 'x-slack-request-timestamp': stamp };
    const asked = { signingSecret: key, body: request.body.toString(), headers, nowMilliseconds: now };
    const here = { ...request, headers: { ...request.headers, 'x-slack-signature': sent }, at: new Date(now) };
    expect(isValidSlackRequest(asked)).toBe(findSignatureError(rule, key, here) === null);
    expect(isValidSlackRequest(asked)).toBe(sent === signature && minutes === 0);
  }
});

test('Standard Webhooks: several signatures, and a GitLab signing token', () => {
  const id = 'msg_2';
  const signature = new StandardWebhook(whsec).sign(id, at, json);
  const headers = { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1a,x v1,AAAA ${signature}` };
  const request = { method: 'POST', url, headers, body: Buffer.from(json), at };
  for (const provider of [null, 'gitlab'] as const) {
    const scheme: Scheme = provider ? 'provider' : 'standard_webhooks';
    expect(findSignatureError(getSignatureRule({ scheme, provider, settings: {} }, whsec), whsec, request)).toBeNull();
  }
});

test('Twilio: other bodies are checked by their hash in the address', () => {
  const body = '{"EventType":"onMessageAdded"}';
  const hash = twilio.getExpectedBodyHash(body);
  const to = `${url}?bodySHA256=${hash}`;
  const rule = getSignatureRule({ scheme: 'provider', provider: 'twilio', settings: {} }, secret);
  const headers = {
    'content-type': 'application/json',
    'x-twilio-signature': twilio.getExpectedTwilioSignature(secret, to, {}),
  };
  const request = { method: 'POST', url: to, headers, at };
  expect(findSignatureError(rule, secret, { ...request, body: Buffer.from(body) })).toBeNull();
  expect(findSignatureError(rule, secret, { ...request, body: Buffer.from(`${body} `) })).not.toBeNull();
});

const published = [
  {
    of: 'GitHub, Validating webhook deliveries',
    provider: 'github',
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
  },
  {
    of: 'Slack, Verifying requests',
    provider: 'slack',
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
    body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    at: 1_531_420_618,
  },
  {
    of: 'HubSpot, the v3 signature in tests/spec/utils/test_signature.py of hubspot-api-python',
    provider: 'hubspot',
    secret: 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy',
    url: 'https://www.example.com/webhook_uri',
    body: "{'example_field':'example_value'}",
    headers: {
      'x-hubspot-request-timestamp': '15000000',
      'x-hubspot-signature-v3': 'HPW73RUtKmcYoEDADG0s6MmGFWUzWJKAW07r8RDgcQw=',
    },
    at: 15_000,
  },
  {
    of: 'Shopify, as in the tests of SQLPage, because Shopify publishes no value',
    provider: 'shopify',
    secret: 'test-webhook-secret',
    body: '{"id":1234567890,"email":"customer@example.com","total_price":"123.45"}',
    headers: { 'x-shopify-hmac-sha256': 'QNyObTlKbMx2qDlPF/ZOZcBqg5OgPg+2oky3zldc0Gw=' },
  },
  {
    of: 'Intercom’s header as Optimizely publishes it, because Intercom’s example has no secret',
    provider: 'intercom',
    secret: 'yIRFMTpsBcAKKRjJPCIykNo6EkNxJn_nq01-_r3S8i4',
    body: '{"timestamp": 1558138293, "project_id": 11387641093, "data": {"cdn_url": "https://cdn.optimizely.com/datafiles/QMVJcUKEJZFg8pQ2jhAybK.json", "environment": "Production", "origin_url": "https://optimizely.s3.amazonaws.com/datafiles/QMVJcUKEJZFg8pQ2jhAybK.json", "revision": 13}, "event": "project.datafile_updated"}',
    headers: { 'x-hub-signature': 'sha1=b2493723c6ea6973fbda41573222c8ecb1c82666' },
  },
] as const;

test.each(published)(
  'the published example of $of is accepted',
  ({ provider, secret: key, body, headers, ...more }) => {
    const rule = getSignatureRule({ scheme: 'provider', provider, settings: {} }, key);
    const to = 'url' in more ? more.url : url;
    const moment = 'at' in more ? new Date(more.at * 1_000) : at;
    expect(
      findSignatureError(rule, key, { method: 'POST', url: to, headers, body: Buffer.from(body), at: moment }),
    ).toBeNull();
  },
);

/** RFC 4231: key, data and HMAC-SHA-256, the keys in hexadecimal. Of case 5 the RFC prints the first half. */
const rfc4231 = [
  ['0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  ['4a656665', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
  ['aa'.repeat(20), Buffer.alloc(50, 0xdd), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
  [
    '0102030405060708090a0b0c0d0e0f10111213141516171819',
    Buffer.alloc(50, 0xcd),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  ['0c'.repeat(20), 'Test With Truncation', 'a3b6167473100ee06e0c796c2955552bfa6f7c0a6a8aef8b93f860aab0cd20c5'],
  [
    'aa'.repeat(131),
    'Test Using Larger Than Block-Size Key - Hash Key First',
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    'aa'.repeat(131),
    'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
] as const;

test.each(rfc4231)('RFC 4231, key %s: its signature is accepted, and half of it is not', (hex, data, signature) => {
  const body = Buffer.from(data);
  for (const key of ['hex', 'base64'] as const) {
    const written = Buffer.from(hex, 'hex').toString(key);
    const rule = getSignatureRule({ scheme: 'hmac_sha256', provider: null, settings: { key } }, written);
    const check = (value: string) =>
      findSignatureError(rule, written, { method: 'POST', url, headers: { 'x-signature': value }, body, at });
    expect(check(signature)).toBeNull();
    expect(check(signature.slice(0, 32))).not.toBeNull();
  }
});

test('hmac_sha256 uses header, encoding and prefix as they are set, and nothing else', () => {
  const settings = { header: 'X-Lamp-Proof', encoding: 'base64', prefix: 'v2=' } as const;
  const rule = getSignatureRule({ scheme: 'hmac_sha256', provider: null, settings }, secret);
  const proof = computeHmac('sha256', secret, 'base64', json);
  const check = (headers: Record<string, string>) =>
    findSignatureError(rule, secret, { method: 'POST', url, headers, body: Buffer.from(json), at });
  expect(check({ 'x-lamp-proof': `v2=${proof}` })).toBeNull();
  const others = [
    ['x-lamp-proof', proof],
    ['x-lamp-proof', `v1=${proof}`],
    ['x-signature', `v2=${proof}`],
  ] as const;
  for (const [name, value] of others) expect(check({ [name]: value })).not.toBeNull();
  expect(check({ 'x-lamp-proof': `v2=${computeHmac('sha256', secret, 'hex', json)}` })).not.toBeNull();
});

test('forms with the same signature are one event, however their fields are written', () => {
  const rule = getSignatureRule({ scheme: 'provider', provider: 'twilio', settings: {} }, 'secret');
  const signed = (form: string, to = url) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', 'secret').update(`${to}A1B2`).digest('base64'),
    };
    const request = { method: 'POST', url: to, headers, body: Buffer.from(form), at };
    expect(findSignatureError(rule, 'secret', request)).toBeNull();
    return hashSigned(rule, request);
  };
  const first = signed('A=1&B=2');
  for (const other of ['B=2&A=1', 'A=1&B=2&A=1', 'A=1B2', 'A1=B2', '%41=1&B=2']) expect(signed(other)).toBe(first);
  expect(signed('A=1&B=2', `${url}?more`)).not.toBe(first);
});

test('a form of ten thousand fields is verified, and one with more is refused unread', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `field${at}`);
  const signed = `${url}${names
    .toSorted()
    .map((name) => `${name}1`)
    .join('')}`;
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': createHmac('sha1', 'secret').update(signed).digest('base64'),
  };
  const body = Buffer.from(names.map((name) => `${name}=1`).join('&'));
  const rule = getSignatureRule({ scheme: 'provider', provider: 'twilio', settings: {} }, 'secret');
  const check = (form: Buffer) => findSignatureError(rule, 'secret', { method: 'POST', url, headers, body: form, at });
  expect(check(body)).toBeNull();
  expect(check(Buffer.concat([body, Buffer.from('&a')]))).toBe('The form has more than 10000 fields.');
});

test('a secret that is not a key in the encoding of the settings verifies nothing', () => {
  const rule = getSignatureRule({ scheme: 'hmac_sha256', provider: null, settings: { key: 'hex' } }, secret);
  const headers = { 'x-signature': createHmac('sha256', '').update('{}').digest('hex') };
  const body = Buffer.from('{}');
  expect(findSignatureError(rule, 'zzzzzzzzzzzz', { method: 'POST', url, headers, body, at })).not.toBeNull();
});
