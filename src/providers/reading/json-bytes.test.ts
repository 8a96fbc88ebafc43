import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFieldBytes } from './json-bytes.ts';

async function read(text: string | Uint8Array, sizes: readonly number[] = []): Promise<Buffer> {
  const bytes = Buffer.from(text as Uint8Array); // the cast picks an overload of TextDecoder
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  const found: Uint8Array[] = [];
  for await (const each of readFieldBytes(streamPieces(pieces), 'data')) found.push(each);
  return Buffer.concat(found);
}
async function* streamPieces(pieces: readonly Uint8Array[]) {
  yield* pieces;
}

test('the reader agrees with JSON.parse, cut at any byte, in any order and with any escapes', async () => {
  const written = fc.record({
    content: fc.uint8Array({ maxLength: 90 }),
    alphabet: fc.constantFrom<BufferEncoding>('base64', 'base64url'),
    before: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
    after: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
    indent: fc.constantFrom(undefined, 1, '\t'),
    escapes: fc.array(fc.constantFrom('as it is', 'hex', 'HEX', 'slash')),
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(written, async ({ content, alphabet, before, after, indent, escapes, sizes }) => {
      const { data: _one, ...first } = before;
      const { data: _other, ...last } = after;
      const data = Buffer.from(content).toString(alphabet);
      const whole = { ...first, data, ...last };
      const json = JSON.stringify(whole, null, indent).replace(`"${data}"`, () => `"${withEscapes(data, escapes)}"`);
      fc.pre(JSON.parse(json).data === data);
      expect(await read(json, sizes)).toEqual(Buffer.from(content));
    }),
    { numRuns: 2_000 },
  );
});

function withEscapes(data: string, escapes: readonly string[]): string {
  return [...data]
    .map((letter, at) => {
      const hex = letter.charCodeAt(0).toString(16).padStart(4, '0');
      const kind = escapes[at % escapes.length];
      if (kind === 'hex') return `\\u${hex}`;
      if (kind === 'HEX') return `\\u${hex.toUpperCase()}`;
      return kind === 'slash' && letter === '/' ? '\\/' : letter;
    })
    .join('');
}

test('every split of an answer in two gives the same result', async () => {
  const json = '{ "size" : 3, "data" : "A\\u0051\\/_", "id": {"data": "bm8=", "list": ["data", "}\\""]} }\r\n';
  for (let at = 1; at < json.length; at += 1)
    expect(await read(json, [at, json.length])).toEqual(Buffer.from('AQ/_', 'base64'));
});

test('an answer that is cut anywhere, or malformed, is refused', async () => {
  const json = '{"size": 5, "data": "aGVsbG8=", "more": [1]}';
  expect((await read(json)).toString()).toBe('hello');
  for (let at = 0; at < json.length; at += 1) await expect(read(json.slice(0, at))).rejects.toThrow();
});

test.each([
  ['no field', '{"size": 5}'],
  ['an object without anything', '{}'],
  ['a field that is not text', '{"data": null}'],
  ['a field that is a list', '{"data": ["aGVsbG8="]}'],
  ['a field within another', '{"body": {"data": "aGVsbG8="}}'],
  ['a text of that name as a value', '{"kind": "data", "other": "aGVsbG8="}'],
  ['two of them', '{"data": "aGVsbG8=", "data": "aGVsbG8="}'],
  ['one character too many', '{"data": "aGVsb"}'],
  ['one character too few', '{"data": "aGVsbG8"'],
  ['padding that does not fit', '{"data": "aGVsbA="}'],
  ['padding in the middle', '{"data": "aGVs=bG8="}'],
  ['nothing but padding', '{"data": "==="}'],
  ['blanks', '{"data": "aGVs bG8="}'],
  ['line breaks', '{"data": "aGVs\\nbG8="}'],
  ['letters beyond ASCII', '{"data": "aGVsbG8é"}'],
  ['an unknown JSON escape', '{"data": "aGVs\\xbG8="}'],
  ['a list', '["data", "aGVsbG8="]'],
  ['a text', '"data"'],
  ['a page', '<html>{"data": "aGVsbG8="}</html>'],
  ['something behind the object', '{"data": "aGVsbG8="} {}'],
  ['nothing', ''],
])('the answer %s is refused', async (_what, json) => {
  await expect(read(json)).rejects.toThrow();
  await expect(read(json, [1])).rejects.toThrow();
});

test('an empty file is read as a file', async () => {
  expect(await read('{"size": 0, "data": ""}')).toHaveLength(0);
});

test('a long text is passed on piece by piece', async () => {
  const content = Buffer.alloc(3_000_000, 'a tide table ');
  const json = Buffer.from(JSON.stringify({ size: content.length, data: content.toString('base64url') }));
  let [given, read] = [0, 0];
  async function* pieces() {
    for (let at = 0; at < json.length; at += 65_536) {
      expect(given - read).toBeLessThan(3 * 65_536);
      given += 65_536;
      yield json.subarray(at, at + 65_536);
    }
  }
  for await (const bytes of readFieldBytes(pieces(), 'data')) read += (bytes.length * 4) / 3;
  expect(Math.round((read * 3) / 4)).toBe(content.length);
});
