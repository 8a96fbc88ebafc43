import { expect, test } from 'vitest';
import { writtenBeside } from '../actions/index.ts';
import { actionsOf } from './action-of.ts';
import { catalogue } from './index.ts';
import { sourceOf } from './source-of.ts';

const writes = [
  ...catalogue.map(({ name: source, api, writes: all = [] }) => ({ source, api, writes: all })),
  ...writtenBeside,
].flatMap(({ source, api, writes: all }) =>
  all.map((write) => ({ name: `${source} ${write.name}`, source, api, write })),
);

test('a descriptor whose write has a misspelt placeholder is refused by the names of both', () => {
  const [linear] = writes.filter(({ name }) => name === 'linear create_issue');
  if (!linear) throw new Error('Linear creates issues');
  const misspelt = misspell(linear.write, '{{input.description}}', '{{input.descripton}}');
  expect(() => actionsOf({ ...linear, writes: [misspelt] })).toThrow(
    /The descriptor linear create_issue is wrong\. call\.\S*description: nothing is known by \{\{input\.descripton\}\}: there is no descripton among team, title, description, priority\./,
  );
});

test.each(writes)('$name is refused when any of its placeholders is misspelt', ({ source, api, write }) => {
  const build = (one: typeof write) => actionsOf({ source, api, writes: [one] });
  expect(() => build(write)).not.toThrow();
  for (const written of placeholdersIn(write)) {
    expect(() => build(misspell(write, written, written.replace('{{', '{{no_'))), written).toThrow('is wrong');
    if (/^\{\{(?:item|person)\b/.test(written) || !written.includes('.')) continue;
    expect(() => build(misspell(write, written, written.replace('.', '.no_'))), written).toThrow('is wrong');
  }
});

const paths = /"(?:input|ids|names|text|sent|parts|html|time|draft|result)\.[\w.]+"/g;

test.each(writes)('$name is refused when any of its paths is misspelt', ({ source, api, write }) => {
  for (const [path] of JSON.stringify(write).matchAll(paths)) {
    const misspelt = misspell(write, path, path.replace('.', '.no_'));
    expect(() => actionsOf({ source, api, writes: [misspelt] }), path).toThrow('is wrong');
  }
});

test.each(writes)('$name is refused when a list of fields names none of them', ({ source, api, write }) => {
  for (const list of ['editable', 'recipients', 'oneOf', 'notBoth'] as const)
    expect(() => actionsOf({ source, api, writes: [{ ...write, [list]: ['no_field', 'nor_this'] }] }), list).toThrow(
      'no_field',
    );
});

test.each(catalogue)('$name is refused when any placeholder of what it reads is misspelt', (descriptor) => {
  expect(() => sourceOf(descriptor)).not.toThrow();
  for (const written of placeholdersIn(descriptor.streams)) {
    const misspelt = misspell(descriptor, written, written.replace('{{', '{{no_'));
    expect(() => sourceOf(misspelt), written).toThrow(`The descriptor ${descriptor.name} is wrong.`);
  }
});

test('a placeholder that cannot be read is refused', () => {
  const [github] = writes.filter(({ name }) => name === 'github create_issue');
  if (!github) throw new Error('GitHub creates issues');
  const unreadable = misspell(github.write, '{{input.title}}', '{{input title}}');
  expect(() => actionsOf({ ...github, writes: [unreadable] })).toThrow(
    'a placeholder of {{input title}} cannot be read',
  );
});

function placeholdersIn(value: unknown): string[] {
  return [...new Set([...JSON.stringify(value).matchAll(/\{\{[^{}]+\}\}/g)].map(([written]) => written))];
}

/** Wherever it stands. */
function misspell<Value>(value: Value, written: string, wrong: string): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(written, wrong)) as Value;
}
