// Redacts the values of a request from its answer, among any bytes.
import { memoize } from '#kernel/memoize';
import type { EgressResponse } from './response.ts';
import { listEchoes } from './secret-forms.ts';

/** The text that replaces a value. */
const mark = Buffer.from('[redacted]');

/** The forms of the values as bytes, the longest first; long ones in lower case. */
export type Values = readonly Buffer[];

/** Forms of at least this length are found in any case; shorter ones appear in ordinary text. */
const shortestFolded = 8;

/** The forms of these values in UTF-8, and the values themselves in both byte orders of UTF-16. */
export function listValueForms(values: readonly string[]): Values {
  return formsSought(JSON.stringify(values));
}

/** Building the forms takes longer than searching for them, and the same few tokens are sent repeatedly. */
const formsSought = memoize(200, (key): Values => {
  const values = JSON.parse(key) as string[]; // `listValueForms` wrote it
  const forms = values
    .flatMap((value) => [...listEchoes(value).map((form) => Buffer.from(form)), ...encodeUtf16(value)])
    .map((form) => (form.length < shortestFolded ? form : fold(form)));
  const unique = [...new Map(forms.map((form) => [form.toString('latin1'), form])).values()];
  return unique.toSorted((one, other) => other.length - one.length);
});

/** Bytes with ASCII capital letters in lower case; the length stays the same. */
function fold(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1');
}

function encodeUtf16(value: string): Buffer[] {
  if (value === '') return [];
  const little = Buffer.from(value, 'utf16le');
  return [little, Buffer.from(little).swap16()];
}

/**
 * The bytes without the values; the same object when there are none. Done in one pass, so that no replacement is
 * searched again.
 */
export function removeFrom(bytes: Uint8Array, values: Values): Uint8Array {
  const { parts, from } = cut(bytes, values, { until: bytes.length });
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}

/**
 * Redacts values from bytes that arrive in pieces. A possible beginning of a value is held back until the next bytes
 * decide.
 */
export type Remover = {
  pass: (piece: Uint8Array) => Uint8Array<ArrayBuffer>;
  rest: () => Uint8Array<ArrayBuffer>;
};

export function createRemover(values: Values): Remover {
  let pendingBytes: Uint8Array = Buffer.alloc(0);
  let covered = 0; // how many of the held bytes are already redacted
  return {
    pass(piece) {
      const bytes = Buffer.concat([pendingBytes, piece]);
      const known = findBeginning(bytes, values);
      const { parts, from } = cut(bytes, values, { until: known, covered });
      pendingBytes = bytes.subarray(known);
      covered = Math.max(0, from - known);
      return Buffer.concat([...parts, bytes.subarray(from, Math.max(from, known))]);
    },
    rest() {
      const { parts, from } = cut(pendingBytes, values, { until: pendingBytes.length, covered });
      return Buffer.concat([...parts, pendingBytes.subarray(from)]);
    },
  };
}

/** The position from which a value may begin that the next bytes complete; the end of the bytes if there is none. */
function findBeginning(bytes: Uint8Array, values: Values): number {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const folded = fold(body);
  const firstBytes = new Set(values.map(([first]) => first));
  for (let at = Math.max(0, body.length - (values[0]?.length ?? 0) + 1); at < body.length; at += 1) {
    if (!firstBytes.has(body[at]) && !firstBytes.has(folded[at])) continue;
    const rest = body.length - at;
    const isBegun = (form: Buffer) =>
      form.length > rest && form.compare(form.length < shortestFolded ? body : folded, at, body.length, 0, rest) === 0;
    if (values.some(isBegun)) return at;
  }
  return body.length;
}

type Span = { until: number; covered?: number };

/**
 * The redacted part of the values that begin before `until`, and the position after the last of them. Overlapping
 * values are redacted as one: a caller that adds its own value must not uncover the rest of another. The first
 * `covered` bytes were redacted before.
 */
function cut(bytes: Uint8Array, values: Values, { until, covered = 0 }: Span): { parts: Buffer[]; from: number } {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const folded = fold(body);
  // UTF-16 of Latin letters contains zeros, which other bodies do not.
  const hasZero = body.includes(0);
  const sought = values
    .filter((form) => hasZero || !form.includes(0))
    .map((form) => ({ form, within: form.length < shortestFolded ? body : folded }));
  const next = sought.map(({ form, within }) => within.indexOf(form));
  const parts: Buffer[] = [];
  let from = pass(sought, { next, end: covered });
  for (;;) {
    const found = findEarliest(next);
    const at = next[found] ?? -1;
    if (at === -1 || at >= until) return { parts, from };
    parts.push(body.subarray(from, at), mark);
    from = pass(sought, { next, end: at + 1 });
  }
}

/** A form, and the bytes in which it is searched: unchanged, or in lower case. */
type SearchedForm = { form: Buffer; within: Buffer };

/**
 * The end of all values that begin before `end`, or before the end of such a value. `next` returns the value after it.
 */
function pass(sought: readonly SearchedForm[], { next, end: first }: { next: number[]; end: number }): number {
  let end = first;
  for (let before = -1; before !== end;) {
    before = end;
    for (const [index, { form, within }] of sought.entries()) {
      const at = next[index] ?? -1;
      if (at !== -1 && at < end) end = Math.max(end, within.lastIndexOf(form, end - 1) + form.length);
    }
  }
  for (const [index, { form, within }] of sought.entries()) {
    const at = next[index] ?? -1;
    if (at !== -1 && at < end) next[index] = within.indexOf(form, end);
  }
  return end;
}

/** The form that appears first; of several at one position the longest, which is first in the list. */
function findEarliest(next: readonly number[]): number {
  let found = -1;
  for (const [index, at] of next.entries()) {
    if (at !== -1 && (found === -1 || at < (next[found] ?? 0))) found = index;
  }
  return found;
}

/** An answer without the values: the same answer when there are none. */
export function removeFromAnswer(response: EgressResponse, values: Values): EgressResponse {
  if (!values.length) return response;
  const body = removeFrom(response.body, values);
  if (body === response.body && !isInHeaders(response.headers, values)) return response;
  return { ...response, headers: removeFromHeaders(response.headers, values, body.length), body };
}

/** All headers are searched at once: nearly all are clean, and searching each header by itself takes much longer. */
function isInHeaders(headers: Readonly<Record<string, string>>, values: Values): boolean {
  const shortest = values.at(-1)?.length ?? 0;
  const isLong = (text: string) => text.length >= shortest || Buffer.byteLength(text) >= shortest;
  const long = Object.entries(headers).flat().filter(isLong);
  if (long.length === 0) return false;
  const headerBytes = Buffer.from(long.join('\n'));
  return removeFrom(headerBytes, [...values, ...foldValues(values)]) !== headerBytes;
}

/** Header names arrive in lower case. */
function foldValues(values: Values): Values {
  return values.map(fold);
}

/** The headers without the values, in names, too; Content-Length is computed again. */
export function removeFromHeaders(
  headers: Readonly<Record<string, string>>,
  values: Values,
  bodyLength: number,
): Record<string, string> {
  const ofNames = [...values, ...foldValues(values)];
  const clean = Object.entries(headers).map(([name, value]) => [
    removeFromText(name, ofNames),
    removeFromText(value, values),
  ]);
  const result = Object.fromEntries(clean) as Record<string, string>; // pairs of texts
  return 'content-length' in result ? { ...result, 'content-length': String(bodyLength) } : result;
}

function removeFromText(text: string, values: Values): string {
  return Buffer.from(removeFrom(Buffer.from(text), values)).toString();
}
