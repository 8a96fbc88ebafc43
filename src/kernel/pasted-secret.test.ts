import { expect, test } from 'vitest';
import { findUnsendable, readPastedSecret } from './pasted-secret.ts';

const read = (pasted: string, more: object = {}) => readPastedSecret(pasted, { field: 'value', ...more });

test.each([
  ['a line break at the end', 'sk_live_1\n'],
  ['a line break of Windows', 'sk_live_1\r\n'],
  ['spaces and tabs around it', ' \tsk_live_1\t '],
])('a secret with %s is accepted without it, and the note says so', (_what, pasted) => {
  expect(read(pasted)).toEqual({ value: 'sk_live_1', notice: 'White space at its ends was removed.' });
});

test.each([
  ['an en dash', 'sk\u2013live', /character 3 is an en dash \(U\+2013\)/],
  ['an em dash', 'sk\u2014live', /character 3 is an em dash \(U\+2014\)/],
  ['a minus sign', 'sk\u2212live', /U\+2212/],
  ['a byte order mark', '\ufeffsk_live', /character 1 is a byte order mark \(U\+FEFF\)/],
  ['curly quotes', '\u201csk_live\u201d', /character 1 is a curly quotation mark \(U\+201C\)/],
  ['angle quotes', '\u00absk_live\u00bb', /U\+00AB/],
  ['a no-break space at the end', 'sk_live\u00a0', /character 8 is a no-break space \(U\+00A0\)/],
  ['a no-break space after a space', ' sk\u00a0live', /character 4 is a no-break space/],
  ['a zero-width space', 'sk_\u200blive', /character 4 is a zero-width space \(U\+200B\)/],
  ['an ideographic space', 'sk\u3000live', /U\+3000/],
  ['a soft hyphen', 'sk\u00adlive', /character 3 is a soft hyphen \(U\+00AD\)/],
  ['a direction mark', '\u202ask_live', /U\+202A/],
  ['an ellipsis', 'sk_live\u2026', /character 8 is an ellipsis/],
  ['a masked value', '\u2022\u2022\u2022\u2022', /a bullet/],
  ['a line break within', 'sk_live\n_within', /character 8 is a line break \(U\+000A\)/],
  ['a control character', 'sk\u0007live', /a control character \(U\+0007\)/],
  ['a lost character', 'sk\ufffdlive', /U\+FFFD/],
  ['a placeholder', 'Bearer {{NAME}}', /placeholder in double braces begins at character 8/],
  ['nothing but white space', ' \n ', /it is empty/],
])('a secret with %s is refused with the character and its place, and without the value', (_what, pasted, message) => {
  expect(() => read(pasted)).toThrow(message);
  try {
    read(pasted);
  } catch (error) {
    expect(String(error)).not.toMatch(/sk|live/);
  }
});

test('quotation marks are removed where a secret cannot have them, and mentioned where they may be part of it', () => {
  expect(read('"whsec_1"', { hasNoQuotes: true }).value).toBe('whsec_1');
  expect(read("'pass'")).toEqual({ value: "'pass'", notice: expect.stringContaining('part of the value') });
  expect(read('"')).toEqual({ value: '"', notice: null });
});

test('a private key keeps its lines, and a passphrase its spaces, where the field allows them', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----';
  expect(read(`${key}\n`, { mayHaveLines: true }).value).toBe(key);
  expect(read('correct horse').value).toBe('correct horse');
  expect(() => read('correct horse', { isOneWord: true })).toThrow(/character 8 is a space/);
});

test('a password with letters of other alphabets is accepted, and the note says where it cannot be sent', () => {
  expect(read('пароль')).toEqual({ value: 'пароль', notice: expect.stringContaining('HTTP headers') });
  expect(read('grün')).toEqual({ value: 'grün', notice: null });
});

test('white space of any length is removed in linear time', () => {
  const startedAt = performance.now();
  expect(read(`a${' '.repeat(200_000)}b`).value).toHaveLength(200_002);
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test('the first character that a header cannot carry is found with its place', () => {
  expect(findUnsendable('Bearer sk\u2013live')).toEqual({ place: 10, name: 'an en dash (U+2013)' });
  expect(findUnsendable('Bearer sk\n')).toEqual({ place: 10, name: 'a line break (U+000A)' });
  expect(findUnsendable('Bearer grün')).toBeNull();
});
