import { array, assert, constant, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { splitIntoPassages } from './passages.ts';
import { scan } from './scan.ts';

const buildSampleParagraph = (words: string, number: number) =>
  `${words
    .split(' ')
    .map((word, at) => `${word} ${(number + at) % 3 ? 'and' : 'with'}`)
    .join(' ')} number ${number}.`;
const subjects = {
  sailing: 'harbour mast rigging sailor anchor tide keel hull',
  baking: 'flour yeast oven dough crust butter sugar loaf',
  mining: 'shaft copper ore pickaxe tunnel lantern seam drill',
};

test('passages about different subjects are grouped, with lines and a readable label', async () => {
  const text = Object.values(subjects)
    .flatMap((words) =>
      Array.from({ length: 12 }, (_, number) =>
        Array.from({ length: 12 }, () => buildSampleParagraph(words, number)).join(' '),
      ),
    )
    .join('\n\n');
  const { constellations, lines } = await scan(text);
  expect(lines).toBe(71);
  const places = { sailing: 1, baking: 25, mining: 49 };
  for (const [subject, words] of Object.entries(subjects)) {
    const own = constellations.filter(({ topics }) => topics.every((topic) => words.includes(topic)));
    expect(own.length, subject).toBeGreaterThan(0);
    const from = places[subject as keyof typeof places]; // the keys are the same
    expect(own.every(({ ranges }) => ranges.every(({ start, end }) => start >= from && end <= from + 24))).toBe(true);
    expect(own[0]!.label).toMatch(/^\w+( · \w+){0,2}$/);
  }
});

test('every line of a text is in exactly its own passages', () => {
  assert(
    property(
      array(oneof(string({ maxLength: 60 }), constant(''), constant('word '.repeat(900)), constant('x'.repeat(9_000)))),
      (given) => {
        const text = given.map((line) => line.replaceAll(/[\n\r]/g, ' ')).join('\n');
        const { passages } = splitIntoPassages(text);
        const whole = passages
          .map(({ from, to, continues }, at) => (at && !continues ? '\n' : '') + text.slice(from, to))
          .join('');
        expect(whole).toBe(text);
        for (const { from, to, lineStart, lineEnd } of passages)
          expect(text.slice(from, to).split('\n').length).toBe(lineEnd - lineStart + 1);
      },
    ),
    { numRuns: 300 },
  );
});

test('the constellations of a text together cover each of its lines once', async () => {
  const text = Array.from({ length: 400 }, (_, number) =>
    buildSampleParagraph(Object.values(subjects)[number % 3]!, number),
  ).join('\n\n');
  const { constellations, lines } = await scan(text);
  const covered = constellations.flatMap(({ ranges }) =>
    ranges.flatMap(({ start, end }) => Array.from({ length: end - start + 1 }, (_, at) => start + at)),
  );
  expect(covered.toSorted((one, other) => one - other)).toEqual(Array.from({ length: lines }, (_, at) => at + 1));
});
