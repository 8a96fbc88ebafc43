import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { uri } from './uri.ts';

const ajv = new Ajv2020();
addFormats.default(ajv);
const isUri = ajv.compile(z.toJSONSchema(uri(), { io: 'output' }));

test('the published schema of an address in an answer has the format uri', () => {
  expect(z.toJSONSchema(uri(), { io: 'output' })).toMatchObject({ type: 'string', format: 'uri' });
});

test.for([
  ['https://example.com', 'https://example.com'],
  ['http://localhost:8787/mcp?toolsets=all', 'http://localhost:8787/mcp?toolsets=all'],
  [
    'https://api.github.com/applications/{client_id}/grant',
    'https://api.github.com/applications/%7Bclient_id%7D/grant',
  ],
  ['https://example.com/a?b={c}|[d]', 'https://example.com/a?b=%7Bc%7D%7C%5Bd%5D'],
  ['https://example.com/50%', 'https://example.com/50%25'],
  ['https://example.com/köln#ä#b', 'https://example.com/k%C3%B6ln#%C3%A4%23b'],
  ['http://[::1]:80/x{', 'http://[::1]/x%7B'],
] as const)('%s is returned as %s', ([given, answered]) => {
  expect(uri().parse(given)).toBe(answered);
});

test('every address in an answer is a valid URI of RFC 3986', () => {
  const scheme = constantFrom('https://', 'http://', 'mailto:a', 'ftp://a:b@', 'HTTPS://');
  const rest = string({ unit: constantFrom(...'aZ0/?#[]{}|\\^`"<> %@:é漢🚢&=;.-_~'), minLength: 1 });
  assert(
    property(scheme, rest, (start, end) => {
      const parsed = uri().safeParse(`${start}${end}`);
      return !parsed.success || isUri(parsed.data);
    }),
    { numRuns: 3_000 },
  );
});
