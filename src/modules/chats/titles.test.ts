import { expect, test } from 'vitest';
import { buildSummary, buildTitle } from './titles.ts';

const buildTitleOfQuestion = (content: string) => buildTitle([{ role: 'user', content }]);

test('wrappers of a client are left out of a title, and a tag without an end stays', () => {
  expect(buildTitleOfQuestion('<context>old</context>How do I bake bread?')).toBe('How do I bake bread?');
  expect(buildTitleOfQuestion('<a><b>x</b></a> Say <p> why')).toBe('Say <p why');
  expect(buildTitleOfQuestion('<a>1<a>2</a>3</a> rest')).toBe('3</a rest');
  expect(buildTitleOfQuestion('</a><a> kept')).toBe('</a <a kept');
  expect(buildTitleOfQuestion('```js\nlet it;\n``` What is it?')).toBe('What is it?');
});

test('a summary of the longest messages is made at once', () => {
  const tags = Array.from({ length: 18_000 }, (_, at) => `<t${at % 3_000} `)
    .join('')
    .replaceAll(' ', '>');
  const content = `${tags}${'<a>'.repeat(20_000)}</t2999>`;
  const began = process.cpuUsage();
  buildSummary([{ role: 'user', content }]);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(500); // it took seven seconds before
});
