import { expect, test } from 'vitest';
import { parseJson } from '#kernel/parse-json';
import { parseForm, readForm } from '#platform/forms';
import { normalizeText } from '#platform/unicode';
import { createAnalyser } from '#platform/search';
import { buildSummary } from '../../src/modules/chats/titles.ts';
import { parseEventPayload } from '../../src/modules/webhooks/intake/read-event.ts';
import { fold } from '../../src/platform/search/fold.ts';
import { buildScriptModule } from '../../src/platform/sandbox/inside/read-script.ts';

const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const analyse = createAnalyser();
const runQuietly = (read: () => unknown) => {
  try {
    read();
  } catch {
    // A refusal is an answer too.
  }
};

/** Each parser, the largest text that its operation takes, and what that consists of. */
const parsers: [name: string, largest: number, piece: string, read: (text: string) => unknown][] = [
  ['a form of one name', 1_000_000, 'a&', (text) => readForm(text, Number.MAX_SAFE_INTEGER)],
  ['a form of codes', 1_000_000, 'a=%41&', (text) => readForm(text, Number.MAX_SAFE_INTEGER)],
  ['a form of a page', 1_000_000, 'a&', parseForm],
  [
    'a webhook form',
    1_000_000,
    'a&',
    (text) => parseEventPayload(Buffer.from(text), 'application/x-www-form-urlencoded'),
  ],
  ['JSON of lists', 1_000_000, '[', parseJson],
  ['JSON of quotes', 1_000_000, String.raw`"\\\"`, parseJson],
  ['normalization of marks', 4_000_000, '\u0301\u0316', (text) => normalizeText(text, 'NFKD')],
  ['folding of marks', 4_000_000, 'a\u0301\u0316\u0301', fold],
  ['words of an item', 4_000_000, 'a_b/', (text) => analyse(text)],
  ['a chat of tags', 200_000, '<a><b>', (content) => buildSummary([{ role: 'user', content }])],
  ['a chat of ends', 200_000, '<a></a>', (content) => buildSummary([{ role: 'user', content }])],
  ['a script of spaces', 100_000, ' ', (text) => buildScriptModule(`import${text}`)],
  ['a script of functions', 100_000, ';\nasync (\n', buildScriptModule],
];

/** The least of several times, in ms of the processor, so that a busy machine and the collection of garbage count little. */
function measureCpuMs(read: () => unknown): number {
  const times = Array.from({ length: 4 }, () => {
    const began = process.threadCpuUsage();
    runQuietly(read);
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** Below this a time is that of the clock. */
const leastMs = 10;

test.each(parsers)('%s of twice the length takes at most three times as long', (_, largest, piece, read) => {
  const [half, whole] = [fill(piece, largest / 2), fill(piece, largest)];
  runQuietly(() => read(half));
  expect(measureCpuMs(() => read(whole))).toBeLessThanOrEqual(
    3 *
      Math.max(
        leastMs,
        measureCpuMs(() => read(half)),
      ),
  );
});
