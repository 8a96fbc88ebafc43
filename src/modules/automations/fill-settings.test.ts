import { createSandbox } from '#platform/sandbox';
import { afterAll, expect, test } from 'vitest';
import { fillSettings } from './fill-settings.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const hostile = [
  `plain words, ünïcode 🙂`,
  `"; throw 1; "`,
  `'); throw 1; ('`,
  '`; throw 1; `',
  '${(() => { throw 1 })()}',
  '{1/0}',
  'a\nthrow 1\n\\',
  '\u2028throw 1',
  '{{secret}}',
];
const settings = Object.fromEntries(hostile.map((value, at) => [`v${at}`, value]));

/** A script that returns each setting from texts of every kind. */
const buildSource = (formatTexts: (name: string) => string, comment: string) =>
  `return [\n${hostile.map((_value, at) => `[${formatTexts(`{{v${at}}}`)}], ${comment} {{v${at}}}`).join('\n')}\n]`;

test.each([
  ['typescript', buildSource((name) => `"${name}", '${name}', \`${name}\`, \`\${"${name}"}\``, '//')],
  ['python', buildSource((name) => `"${name}", '${name}', """${name}""", f"${name}"`, '#')],
] as const)('in %s a setting stays within the text around it, whatever it contains', async (language, source) => {
  const turn = { kind: 'run' as const, of: 'ada' };
  const filled = fillSettings(source, settings);
  const { value, error } = await sandbox.run({ turn, source: filled, language, host: {} });
  expect([error, value]).toEqual([null, hostile.map((each) => [each, each, each, each])]);
});

test('a name without a setting stays as it is', () => {
  expect(fillSettings('{{other}} {{toString}} {{a}}', { a: '1' })).toBe('{{other}} {{toString}} 1');
});
