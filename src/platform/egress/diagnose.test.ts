import { expect, test } from 'vitest';
import { diagnose } from './diagnose.ts';

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, url: 'https://api.example/', headers, body: Buffer.from(text) };
}

test.each([
  [
    'Google',
    answer(403, { error: { code: 403, message: 'Request had insufficient scopes.', status: 'PERMISSION_DENIED' } }),
    { errorCategory: 'permission', providerMessage: 'Request had insufficient scopes.', retryable: false },
  ],
  [
    'Google, rate limit as 403',
    answer(403, { error: { message: 'Slow.', errors: [{ reason: 'userRateLimitExceeded' }] } }),
    { errorCategory: 'rate_limited', retryable: true },
  ],
  [
    'OAuth',
    answer(400, { error: 'invalid_grant', error_description: 'Token has been revoked.' }),
    { errorCategory: 'auth', providerMessage: 'invalid_grant: Token has been revoked.', builderCanRepair: false },
  ],
  ['GitHub', answer(404, { message: 'Not Found' }), { errorCategory: 'not_found', providerMessage: 'Not Found' }],
  [
    'GraphQL with status 200',
    answer(200, { errors: [{ message: 'Entity not found', extensions: { code: 'ENTITY_NOT_FOUND' } }] }),
    { errorCategory: 'not_found', providerMessage: 'Entity not found', status: 200 },
  ],
  [
    'GraphQL, second error ignored',
    answer(400, { errors: [{ message: 'Bad field' }, { message: 'Other' }] }),
    { errorCategory: 'invalid_request', providerMessage: 'Bad field', builderCanRepair: true },
  ],
  ['Slack with status 200', answer(200, { ok: false, error: 'token_revoked' }), { errorCategory: 'auth' }],
  [
    'Slack, which may have done a part',
    answer(200, { ok: false, error: 'fatal_error' }),
    { errorCategory: 'provider_down' },
  ],
  [
    'problem details',
    answer(422, { title: 'Unprocessable', detail: 'Name is missing.' }),
    { errorCategory: 'invalid_request', providerMessage: 'Name is missing.' },
  ],
  [
    'Telegram, which says in the body how long to wait',
    answer(429, { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 9 } }),
    { errorCategory: 'rate_limited', providerMessage: 'Too Many Requests', retryAfterSeconds: 9 },
  ],
  ['plain text', answer(500, 'oops', { 'content-type': 'text/plain' }), { providerMessage: 'oops' }],
])('the error of %s is read', (_provider, response, expected) => {
  expect(diagnose(response)).toMatchObject(expected);
});

test.each([
  ['Entity not found: Issue', 'INPUT_ERROR', '^entity not found'],
  ['The item does not exist', 'InvalidItemIdException', '^invaliditemidexception$'],
])(
  'the answer “%s” with the code %s means not found for a provider that defines it this way',
  (message, code, form) => {
    const response = answer(200, { errors: [{ message, extensions: { code } }] });
    expect(diagnose(response, { notFoundBy: [form] })).toMatchObject({ errorCategory: 'not_found' });
    expect(diagnose(response)).toMatchObject({ errorCategory: 'invalid_request' });
  },
);

test.each([
  [400, 'invalid_request', false],
  [401, 'auth', false],
  [403, 'permission', false],
  [404, 'not_found', false],
  [408, 'timeout', true],
  [409, 'conflict', false],
  [410, 'not_found', false],
  [418, 'invalid_request', false],
  [422, 'invalid_request', false],
  [429, 'rate_limited', true],
  [500, 'provider_down', true],
  [502, 'provider_down', true],
  [503, 'provider_down', true],
  [504, 'timeout', true],
])('the status %i without an error word means %s', (status, errorCategory, retryable) => {
  const found = diagnose(answer(status, ''));
  expect(found).toMatchObject({ status, errorCategory, retryable });
  expect(found.resolution).toMatch(/^[A-Z].+\.$/);
  expect(found).not.toHaveProperty('providerMessage');
});

test('an HTML page is not quoted', () => {
  const page = answer(502, '<html><h1>Bad gateway</h1></html>', { 'content-type': 'text/html' });
  expect(diagnose(page)).not.toHaveProperty('providerMessage');
});

test.each([null, [], 'text', 1, { error: { message: 1 } }, { errors: [] }, { message: {} }, { error: '' }])(
  'a body of another shape gives no message: %j',
  (body) => {
    expect(diagnose(answer(400, body))).toMatchObject({ errorCategory: 'invalid_request' });
    expect(diagnose(answer(400, body))).not.toHaveProperty('providerMessage');
  },
);

const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
test.each([
  ['seconds', { 'retry-after': '7' }, 7],
  ['a date, counted from the provider’s own clock', { 'retry-after': 'Sat, 21 Nov 2026 12:01:30 GMT', date }, 90],
  [
    'a reset time of GitHub',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse(date) / 1000 + 5), date },
    5,
  ],
  ['parts of seconds', { 'retry-after': '0.35' }, 1],
  ['a time until a reset', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '2.5' }, 3],
  [
    'a time until a reset while calls remain',
    { 'x-ratelimit-remaining': '4', 'x-ratelimit-reset-after': '2.5' },
    undefined,
  ],
  ['a reset time while calls remain', { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1', date }, undefined],
  ['a date in the past', { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT', date }, undefined],
  ['nonsense', { 'retry-after': 'soon', date }, undefined],
  [
    'headers that its descriptor names, in milliseconds',
    { 'x-left': '0', 'x-free-at': String(Date.parse(date) + 4_200), date },
    5,
  ],
  ['headers that its descriptor names, while calls remain', { 'x-left': '1', 'x-free-at': '1', date }, undefined],
  ['nothing', {}, undefined],
])('the pause that a provider asks for is read: %s', (_what, headers, seconds) => {
  const limits = [{ remaining: 'x-left', reset: 'x-free-at', as: 'epoch_ms' as const }];
  expect(diagnose(answer(429, '', headers), { limits }).retryAfterSeconds).toBe(seconds);
});

test('GitHub’s limit is read from headers only', () => {
  const limited = answer(403, { message: 'API rate limit exceeded' }, { 'x-ratelimit-remaining': '0' });
  expect(diagnose(limited)).toMatchObject({ errorCategory: 'rate_limited', retryable: true });
});

test('secrets are redacted from the provider’s message before it is cut', () => {
  const secret = 'sk-live-0123456789abcdef';
  const message = `${'x'.repeat(490)}${secret} is not valid\r\nsee docs`;
  const found = diagnose(answer(401, { error: { message } }), { secrets: [secret] });
  expect(found.providerMessage).not.toContain('sk-live');
  expect(found.providerMessage).toHaveLength(501);
  expect(found.providerMessage).toMatch(/\[redacted\]…$/);
});

test('line breaks and invisible characters in the provider’s message become spaces', () => {
  const found = diagnose(answer(400, { message: 'a\r\nb\u202ec' }));
  expect(found.providerMessage).toBe('a b c');
});
