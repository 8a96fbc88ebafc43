import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpointSchema, listPlaceholders, listSecretNames, type Endpoint } from './endpoint.ts';
import { fill } from './fill.ts';

const get = (url: string, more: Partial<Endpoint> = {}): Endpoint => ({ method: 'GET', url, ...more });

test.each([
  ['a path segment', get('https://a.example/x/{{v}}/y'), 'a/b c?d#e', 'https://a.example/x/a%2Fb%20c%3Fd%23e/y'],
  ['part of a segment', get('https://a.example/x/{{v}}.json'), 'ä', 'https://a.example/x/%C3%A4.json'],
  ['the query of the URL', get('https://a.example/x?q={{v}}'), 'a&b=c', 'https://a.example/x?q=a%26b%3Dc'],
  ['a parameter', get('https://a.example/x', { queryParams: { q: '{{v}}' } }), 'a&b', 'https://a.example/x?q=a%26b'],
  ['a list', get('https://a.example/x', { queryParams: { q: '{{v}}' } }), [1, 'b'], 'https://a.example/x?q=1&q=b'],
  [
    'a parameter without a value',
    get('https://a.example/x', { queryParams: { q: '{{v}}' } }),
    undefined,
    'https://a.example/x',
  ],
])('a value is escaped in %s', (_, endpoint, v, url) => {
  expect(fill(endpoint, { v }).url).toBe(url);
});

test.each(['.', '..', '', null, undefined, {}, [1]])('a path segment refuses %j', (v) => {
  expect(() => fill(get('https://a.example/{{v}}/y'), { v })).toThrow(/^v /);
});

test('a value of any kind stays within its part of the request', () => {
  const endpoint = get('https://a.example/x/{{a.v}}/y?k={{a.v}}', {
    queryParams: { q: 'p{{a.v}}' },
    body: { j: '<{{a.v}}>' },
  });
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (v) => {
      fc.pre(v !== '.' && v !== '..');
      const { url, body = '' } = fill(endpoint, { a: { v } });
      const { origin, pathname, searchParams, hash } = new URL(url);
      const text = v.toWellFormed();
      expect(origin).toBe('https://a.example');
      expect(pathname.split('/')).toEqual(['', 'x', encodeURIComponent(text), 'y']);
      expect([...searchParams]).toEqual([
        ['k', text],
        ['q', `p${text}`],
      ]);
      expect(hash).toBe('');
      expect(JSON.parse(body)).toEqual({ j: `<${text}>` });
    }),
  );
});

test('JSON keeps types and null, and omits missing values', () => {
  const body = {
    n: '{{n}}',
    list: ['{{s}}', '{{missing}}'],
    text: 'no. {{n}}',
    gone: '{{missing}}',
    empty: '{{none}}',
    deep: { o: '{{o}}' },
  };
  const request = fill(
    { method: 'POST', url: 'https://a.example/x', body },
    { n: 7, s: '{{n}}', none: null, o: { a: [true] } },
  );
  expect(JSON.parse(request.body ?? '')).toEqual({
    n: 7,
    list: ['{{n}}'],
    text: 'no. 7',
    empty: null,
    deep: { o: { a: [true] } },
  });
  expect(request.headers).toEqual({ 'content-type': 'application/json' });
});

test('a form is encoded as a form', () => {
  const { body, headers } = fill(
    { method: 'POST', url: 'https://a.example/', form: { a: '{{v}}', b: '{{no}}' } },
    { v: 'x&y=z' },
  );
  expect([body, headers]).toEqual(['a=x%26y%3Dz', { 'content-type': 'application/x-www-form-urlencoded' }]);
});

test('a header stays one line', () => {
  const endpoint = get('https://a.example/', { headers: { 'X-V': '{{v}}' } });
  expect(fill(endpoint, { v: 'café' }).headers).toEqual({ 'x-v': 'café' });
  expect(fill(endpoint, {}).headers).toEqual({});
  for (const v of ['a\r\nx: y', 'a\0', '中']) expect(() => fill(endpoint, { v })).toThrow('one line');
});

test('a placeholder reads own properties only', () => {
  const endpoint = {
    method: 'POST',
    url: 'https://a.example/',
    body: ['{{constructor}}', '{{a.length}}', '{{__proto__.x}}', '{{a.0}}'],
  } as const;
  expect(fill({ ...endpoint, body: [...endpoint.body] }, { a: ['first'] }).body).toBe('[1,"first"]');
});

test.each(['https://{{host}}/x', 'https://a.{{host}}/', '/x', 'ftp://a.example/', 'https://u{{p}}@a.example/'])(
  'a placeholder cannot name the host: %s',
  (url) => {
    expect(endpointSchema.safeParse(get(url)).success).toBe(false);
  },
);

test('the placeholders of an endpoint are listed', () => {
  const endpoint = get('https://a.example/{{ id }}', {
    headers: { authorization: 'Bearer {{secrets.TOKEN}}' },
    queryParams: { q: '{{a.b}}' },
  });
  expect([...listPlaceholders(endpoint)].toSorted()).toEqual(['a.b', 'id']);
  expect([...listSecretNames(endpoint)]).toEqual(['TOKEN']);
});

test('a list in a body is repeated for each value', () => {
  const body = { to: { $each: 'input.to', $as: 'person', $of: { address: '{{person}}', by: '{{by}}' } } };
  const endpoint = { method: 'POST', url: 'https://api.example/mails', body } as const;
  const sent = (values: object) => JSON.parse(fill(endpoint, { ...values }).body ?? '') as unknown;
  expect(sent({ input: { to: ['a@x.example', '{{by}}'] }, by: 'me' })).toEqual({
    to: [
      { address: 'a@x.example', by: 'me' },
      { address: '{{by}}', by: 'me' },
    ],
  });
  expect(sent({ input: {} })).toEqual({});
});

test('passed values are added to an object, and replace nothing', () => {
  const body = { properties: { $with: 'input.more', $of: { title: '{{input.title}}' } } };
  const filled = (more: unknown) =>
    JSON.parse(fill({ method: 'POST', url: 'https://a.example/', body }, { input: { title: 'Gears', more } }).body!);
  expect(filled({ title: 'Other', State: { name: 'Done' } })).toEqual({
    properties: { title: 'Gears', State: { name: 'Done' } },
  });
  expect(filled(undefined)).toEqual({ properties: { title: 'Gears' } });
  expect(() => filled(['Done'])).toThrow('must be an object');
});

test('an optional part of a body is omitted without its value', () => {
  const body = { place: { $when: 'input.place', $of: { name: '{{input.place}}' } }, by: 'us' };
  const filled = (input: object) =>
    JSON.parse(fill({ method: 'POST', url: 'https://a.example/x', body }, { input }).body ?? '');
  expect(filled({ place: 'Room 4' })).toEqual({ place: { name: 'Room 4' }, by: 'us' });
  for (const input of [{}, { place: null }]) expect(filled(input)).toEqual({ by: 'us' });
});
