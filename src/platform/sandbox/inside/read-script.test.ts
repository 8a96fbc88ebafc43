import { expect, test } from 'vitest';
import { buildScriptModule } from './read-script.ts';

const sdk = '"https://any.example/sdks/automation-sdk-v1.ts"';
const extractScript = (source: string) =>
  /^export default async function main\(__sdk\) \{([^]*)\n\}$/.exec(buildScriptModule(source))?.[1];

test.each([
  [`import { brains, env as e } from ${sdk};\nreturn 1`, 'const {brains,env:e}=__sdk;\nreturn 1'],
  [`import {brains}from${sdk}\n\n;return 1`, 'const {brains}=__sdk;\n\nreturn 1'],
  [`// first\n/* a\n b */ import * as sdk from ${sdk}\nreturn 1`, 'const sdk=__sdk;// first\n/* a\n b */ \nreturn 1'],
  [`import {\n  type Board,\n  brains, // the door\n} from ${sdk};\nreturn 1`, 'const {brains}=__sdk;\n\n\n\nreturn 1'],
  [`import type { Board } from ${sdk};return 1`, 'return 1'],
  [`import ${sdk};import {a} from ${sdk};return 1`, 'const {a}=__sdk;return 1'],
  ['import("x"); return 1', 'import("x"); return 1'],
  ['import.meta.url', 'import.meta.url'],
  ['importer(1)', 'importer(1)'],
  ['import', 'import'],
  ['import { a } from "x', 'import { a } from "x'],
])('imports of the SDK become constants, and lines keep their numbers: %j', (source, code) => {
  expect(extractScript(source)).toBe(code);
});

test.each([
  ['import x from "npm:left-pad"', 'a script may import only the SDK'],
  ['import "node:fs"', 'a script may import only the SDK'],
  [`import sdk from ${sdk}`, 'no default export'],
  [`import sdk, { brains } from ${sdk}`, 'no default export'],
])('an import of something else is an error for its author: %s', (source, message) => {
  expect(() => buildScriptModule(source)).toThrow(
    expect.objectContaining({ name: 'SourceError', message: expect.stringContaining(message) }),
  );
});

const call = (before: string, code: string) => `${before}return await (${code}\n)(args, __sdk.env);`;
test.each([
  ['async (args, env) => 1;\n', call('', 'async (args, env) => 1')],
  ['const a = 1;\nasync args => a', call('const a = 1;\n', 'async args => a')],
  ['const a = 1;\n// and\n/* x */\nasync (a) => a', call('const a = 1;\n// and\n/* x */\n', 'async (a) => a')],
  ['const f =\nasync (a) => a', null],
  ['const f = async (a) => a;\nreturn 2', null],
  ['/* async (a) => a', null],
])('a script that ends with a function calls it: %j', (source, code) => {
  expect(extractScript(source)).toBe(code ?? source);
});

const long = 100_000;
test.each([
  ['spaces', `import${' '.repeat(long)}`],
  ['names', `import { ${'a, '.repeat(long / 3)}`],
  ['comments', `${'/**/'.repeat(long / 4)}import`],
  ['open comments', '/*'.repeat(long / 2)],
  ['functions', 'async (a) =\n'.repeat(long / 12)],
  ['heads of functions', ';\nasync (\n'.repeat(long / 9)],
])('a script of 100,000 characters is read at once, also one that consists of %s', (_, source) => {
  const began = process.cpuUsage();
  buildScriptModule(source);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(500);
});
