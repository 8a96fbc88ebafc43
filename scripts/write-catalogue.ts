// Writes catalogue.json: every operation as data, for the command line and for whoever reads this repository.
import { readFileSync, writeFileSync } from 'node:fs';
import { schemasOf } from '#faces/reference';
import { describeProduct } from '../src/server.ts';

const file = new URL('../catalogue.json', import.meta.url);
const operations = [...(await describeProduct()).values()]
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  .map((operation) => ({
    name: operation.name,
    summary: operation.summary,
    toolset: operation.toolset,
    effect: operation.effect,
    scope: operation.access.scope,
    rest: operation.rest ?? [],
    errors: operation.errors,
    ...schemasOf(operation),
    examples: operation.examples,
  }));
const text = `${JSON.stringify({ operations }, null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write('catalogue.json is not current. Run `npm run catalogue` and commit it.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
  process.stdout.write(`catalogue.json: ${operations.length} operations\n`);
}
