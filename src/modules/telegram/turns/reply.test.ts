import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMessages, quote, createTextPart } from './reply.ts';

const toVisibleText = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

test('text of people is never read as formatting', () => {
  expect(formatMessages([createTextPart('1 < 2 & <b>3</b>'), quote('<a href="x">')])).toEqual([
    '1 &lt; 2 &amp; &lt;b&gt;3&lt;/b&gt;\n<blockquote>&lt;a href="x"&gt;</blockquote>',
  ]);
});

test('an empty reply sends no message', () => {
  expect(formatMessages([])).toEqual([]);
  expect(formatMessages([createTextPart('  '), quote('')])).toEqual([]);
});

test('a long text is split into messages of Telegram’s size, at the ends of words, and nothing is lost', () => {
  const long = Array.from({ length: 3_000 }, (_, number) => `word${number}`).join(' ');
  const messages = formatMessages([createTextPart('First:'), quote(long)]);
  expect(messages.length).toBeGreaterThan(5);
  expect(messages.map(toVisibleText).join(' ').split(/\s+/)).toEqual(['First:', ...long.split(' ')]);
});

test('no message is too long or empty, and no surrogate pair is split, whatever the text', () => {
  const part = fc.record({
    kind: fc.constantFrom('text' as const, 'quote' as const),
    text: fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constant('😀'.repeat(5_000)),
      fc.constant('&<'.repeat(5_000)),
    ),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (reply) => {
      for (const message of formatMessages(reply)) {
        expect(toVisibleText(message).length).toBeLessThanOrEqual(4096);
        expect(toVisibleText(message).trim()).not.toBe('');
        expect(message.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});
