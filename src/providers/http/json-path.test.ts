import { expect, test } from 'vitest';
import { parseExactJson } from './exact-json.ts';
import { findJsonPathError, JsonPathLimitError, locateByJsonPath } from './json-path.ts';
import { fillPlainTemplate, findPlainTemplateError } from './templates.ts';

test('no digit of a number is lost, and short numbers are written as usual', () => {
  const numbers = {
    '67543.12345678901234567': '67543.12345678901234567',
    '12345678901234567890': '12345678901234567890',
    '-0.1000000000000000055511151231257827': '-0.1000000000000000055511151231257827',
    '1e400': '1e400',
    '1.50': '1.5',
    '1E3': '1000',
    '1e21': '1e+21',
    '-0.0': '0',
    '9007199254740993': '9007199254740993',
    '9007199254740992': '9007199254740992',
  };
  for (const [source, written] of Object.entries(numbers)) {
    const { exact } = parseExactJson(`{"n": [${source}], "text": "${source}"}`, 100);
    expect(fillPlainTemplate('{{n.0}} {{text}}', exact), source).toBe(`${written} ${source}`);
  }
});

test('JSON that is nested too deeply is refused', () => {
  expect(() => parseExactJson('['.repeat(101) + ']'.repeat(101), 100)).toThrow('100 levels');
  expect(parseExactJson('['.repeat(100) + ']'.repeat(100), 100).value).toHaveLength(1);
});

test.for(['$.data[*]', '$', '$..items[?@.price > 10]', "$['a b'][0:5]", '$.a[?length(@.b) > 1]'])(
  'the path %s is understood',
  (path) => expect(findJsonPathError(path)).toBeNull(),
);

test.for([
  'data',
  '$.data[',
  "$[?match(@.a, '(a+)+$')]",
  "$[?search(@.a, 'x')]",
  '$..[?count(@..*) > 1]',
  '$[?$..a]',
  '$..*..*',
  '',
])('the path %s is refused', (path) => expect(findJsonPathError(path)).not.toBeNull());

test('a path whose steps multiply ends before it takes long', () => {
  const value = Array.from({ length: 10 }, (_, at) => Array.from({ length: 10 }, () => at));
  expect(() => [...locateByJsonPath(`$${'[*,*,*,*,*,*,*,*,*,*]'.repeat(2)}${'[?@.z]'}`, value)]).not.toThrow();
  const nested = JSON.parse('['.repeat(20) + '1' + ']'.repeat(20)) as unknown;
  expect(() => [...locateByJsonPath(`$${'[*,*,*,*]'.repeat(20)}`, nested)]).toThrow(JsonPathLimitError);
});

test.for(['{{symbol}}@{{last_updated}}', '${{quote.USD.price}}', 'plain { text }', '{{a-b.0.c_d}}'])(
  'the template %s is understood',
  (template) => expect(findPlainTemplateError(template)).toBeNull(),
);

test.for(['{{price:.2f}}', '{{price | upper}}', '{{a.*.b}}', '{{a.[b]}}', '{{}}', '{{a..b}}', '{{ a'])(
  'the template %s is refused, and the message shows what is wrong',
  (template) => expect(findPlainTemplateError(template)).toContain('{{'),
);

test('only own properties are read, and values are written as JavaScript writes them', () => {
  const item = { name: 'A', list: [1, 'b'], object: { a: 1 }, nothing: null, yes: true, zero: 0 };
  const template =
    '{{constructor.name}}{{name.length}}{{toString}}|{{list}}|{{list.1}}|{{object}}|{{nothing}}|{{yes}}{{zero}}';
  expect(fillPlainTemplate(template, item)).toBe('|1,b|b|{"a":1}||true0');
  expect(fillPlainTemplate('{{name}}', { name: '{{zero}}' })).toBe('{{zero}}');
});
