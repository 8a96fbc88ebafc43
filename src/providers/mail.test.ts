import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { readHtmlText } from './reading/html-text.ts';
import { detectShape } from './http-json/shape.ts';
import { cutQuotedHistory } from './reading/quoted-history.ts';

test.each([
  ['On Mon, 1 Jun 2026 at 09:00, Ada <ada@example.com> wrote:\n> Does it fit?\n>\n> Ada\n'],
  ['On Mon, 1 Jun 2026 at 09:00, Ada Lovelace\n<ada@example.com> wrote:\n> Does it fit?'],
  ['Am 01.06.2026 um 09:00 schrieb Ada <ada@example.com>:\n> Passt es?'],
  ['Le lun. 1 juin 2026 à 09:00, Ada <ada@example.com> a écrit :\n> Ça va ?'],
  ['-----Original Message-----\nFrom: Ada\nSent: Monday\n\nDoes it fit?'],
  [
    '________________________________\nFrom: Ada <ada@example.com>\nSent: Monday\nTo: Bob\nSubject: Fit\n\nDoes it fit?',
  ],
  ['From: Ada <ada@example.com>\nSent: Monday, June 1, 2026\nTo: Bob\n\nDoes it fit?'],
  ['> Does it fit?\n> Ada'],
])('the quoted previous message is cut from a reply', (history) => {
  expect(cutQuotedHistory(`It does.\n\nBob\n\n${history}`)).toBe('It does.\n\nBob');
});

test.each([
  ['On Mon, 1 Jun 2026 at 09:00, Ada wrote:\n> First?\nYes.\n> Second?\nNo.'],
  ['On the other hand, we wrote this:\nand it matters'],
  ['From: Zürich\nwe take the train'],
  ['---------- Forwarded message ---------\nFrom: Ada <ada@example.com>\nDate: Monday\n\nLook at this'],
])('replies between quoted lines, and text that only looks like a quote, stay', (text) => {
  expect(cutQuotedHistory(`Hello\n\n${text}`)).toBe(`Hello\n\n${text}`);
});

test('a message that is only a quotation stays whole', () => {
  expect(cutQuotedHistory('> only a quotation')).toBe('> only a quotation');
});

test('HTML becomes its visible text', async () => {
  expect(await readHtmlText('<h1>Title</h1><ul><li>one</li><li>two</li></ul>')).toBe('Title\n\n * one\n * two');
  expect(await readHtmlText('<p>a</p><p style="DISPLAY: none">b</p><p style="font-size:0px">c</p>')).toBe('a');
  expect(await readHtmlText(`<a href="https://t.example/${'x'.repeat(300)}">Open</a>`)).toBe('Open');
  expect(await readHtmlText('<a href="javascript:alert(1)">Click</a>')).not.toContain('<');
  expect(await readHtmlText('<p>no end')).toBe('no end');
});

// Anyone can send such mails, and one process reads all mails. Each took from ten seconds to minutes before.
test.each<[what: string, read: () => unknown]>([
  ['beginnings of links', () => readHtmlText(`<p>${'[http://'.repeat(40_000)}`)],
  ['blanks', () => readHtmlText(`<p>x${'&nbsp;'.repeat(120_000)}y`)],
  ['lines before a quote', () => cutQuotedHistory(`${`${'_'.repeat(20)}\n`.repeat(100_000)}> x\ny`)],
  ['tags without an end', () => detectShape([{ id: 1, body: '<p '.repeat(80_000) }])],
])('text that consists only of %s takes no longer than other text of its length', async (_what, read) => {
  const startedAt = performance.now();
  await read();
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});

const buildNestedHtml = (tag: string) => `<p>Before</p>${`<${tag}>`.repeat(990_000 / (tag.length + 2))}`;
test.each([
  ['open tags within each other', buildNestedHtml('b')],
  ['tables within each other', buildNestedHtml('table><tr><td')],
  ['lists within each other', buildNestedHtml('ul><li')],
  ['quotations within each other', buildNestedHtml('blockquote')],
  ['tags of many names', Array.from({ length: 120_000 }, (_, at) => `<x${at}>`).join('')],
  ['ends without beginnings', `<p>Before</p>${'</b></i>'.repeat(120_000)}`],
  ['attributes without end', `<p>Before</p><a ${'x="y" '.repeat(160_000)}`],
])('a mail of %s does not block the process', async (_what, html) => {
  const pauses = monitorEventLoopDelay({ resolution: 10 });
  pauses.enable();
  const [attack, other] = await Promise.all([readHtmlText(html), readHtmlText('<p>Another mail</p>')]);
  pauses.disable();
  expect(other).toBe('Another mail');
  expect(attack.length).toBeLessThan(2_000_000);
  // Converting one of these took more than 30 s.
  expect(pauses.max / 1e6).toBeLessThan(1_000);
});
