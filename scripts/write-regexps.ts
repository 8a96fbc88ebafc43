/** `npm run regexps`: asks recheck about each regular expression in `src` that is new, and keeps what it answers for lint. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { z } from 'zod';
import { findRegexp } from './lint-rules/find-regexp.mjs';
import { isLinear } from './linear-regexp.ts';

const root = join(import.meta.dirname, '..');
const path = join(root, 'scripts/lint-rules/regexps.json');
const verdicts = z.object({ linear: z.array(z.string()), bounded: z.record(z.string(), z.string()) });
const known = verdicts.parse(JSON.parse(readFileSync(path, 'utf8')));
const linear = new Set(known.linear);
const found = new Set<string>();

for (const file of globSync('src/**/*.ts', { cwd: root })) {
  if (file.endsWith('.test.ts')) continue;
  const source = readFileSync(join(root, file), 'utf8');
  visit(parseSync(file, source, { lang: 'ts' }).program, (node) => {
    const regexp = findRegexp(node, ({ start = 0, end = 0 }) => source.slice(start, end));
    if (regexp !== null) found.add(regexp);
  });
}

const doubtful: string[] = [];
for (const regexp of found) {
  if (linear.has(regexp) || regexp in known.bounded) continue;
  if (regexp.startsWith('/') && isLinear(regexp)) linear.add(regexp);
  else doubtful.push(regexp);
}
const kept = {
  linear: [...linear].filter((each) => found.has(each)).toSorted(),
  bounded: Object.fromEntries(Object.entries(known.bounded).filter(([each]) => found.has(each))),
};
writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`);
for (const regexp of doubtful) console.error(`Not linear, or not known to be: ${regexp}`);
if (doubtful.length) {
  console.error(`Write them in another way, or name the bound of their input under "bounded" in ${path}.`);
  process.exitCode = 1;
}

type Node = Parameters<typeof findRegexp>[0];

function visit(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if ('type' in value && typeof value.type === 'string') see(value as Node);
  for (const each of Object.values(value)) visit(each, see);
}
