import { expect, test } from 'vitest';
import { catalogue } from './descriptors.ts';
import { sourceOf } from './described/source-of.ts';

test.each(catalogue)('the source $name is refused when any placeholder is misspelt', (descriptor) => {
  expect(() => sourceOf(descriptor)).not.toThrow();
  for (const written of placeholdersIn(descriptor.streams)) {
    const misspelt = misspell(descriptor, written, written.replace('{{', '{{no_'));
    expect(() => sourceOf(misspelt), written).toThrow(`The descriptor ${descriptor.name} is wrong.`);
  }
});

function placeholdersIn(value: unknown): string[] {
  return [...new Set([...JSON.stringify(value).matchAll(/\{\{[^{}]+\}\}/g)].map(([written]) => written))];
}

/** Wherever it stands. */
function misspell<Value>(value: Value, written: string, wrong: string): Value {
  return JSON.parse(JSON.stringify(value).replaceAll(written, wrong)) as Value;
}
