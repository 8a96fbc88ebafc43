import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scopeOf } from './feed.ts';

test('of every event that a module declares it is known who may be told of it', () => {
  const src = join(import.meta.dirname, '../..');
  const declared = globSync('{kernel,platform,modules,faces}/**/*.ts', { cwd: src })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(src, file), 'utf8').matchAll(/defineEvent\(\s*'([\w.]+)'/g)])
    .map(([, name = '']) => name);
  expect(declared).toEqual(expect.arrayContaining(['draft.created', 'integration.changed', 'brain.members_changed']));
  expect(declared.filter((name) => scopeOf(name) === undefined)).toEqual([]);
});
