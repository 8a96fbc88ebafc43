// Writes what is generated from the code: catalogue.json, sdk/operations.d.ts, and the README's table of settings. `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { getOperationSchemas } from '#faces/reference';
import { settings } from '#platform/config';
import { describeProduct } from '../src/server.ts';
import { buildOperationTypes } from './operation-types.ts';

const generated = [
  { file: new URL('../catalogue.json', import.meta.url), make: buildCatalogue },
  {
    file: new URL('../sdk/operations.d.ts', import.meta.url),
    make: async () => buildOperationTypes(await describeProduct()),
  },
  { file: new URL('../README.md', import.meta.url), make: buildReadme },
];

for (const { file, make } of generated) {
  const old = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const text = await make(old);
  if (text === old) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${file.pathname} is not current. Run \`npm run catalogue\` and commit it.\n`);
    process.exitCode = 1;
  } else writeFileSync(file, text);
}

/** Every operation as data, for the command line and for whoever reads this repository. */
async function buildCatalogue(): Promise<string> {
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
      ...getOperationSchemas(operation),
      examples: operation.examples,
    }));
  return `${JSON.stringify({ operations }, null, 2)}\n`;
}

function buildReadme(old: string): string {
  const rows = Object.entries(settings).map(([name, { about, schema }]) => {
    const parsed = schema.safeParse(undefined);
    const value = parsed.success && parsed.data !== undefined ? `\`${String(parsed.data) || 'none'}\`` : '';
    return `| \`${name}\` | ${value} | ${about} |`;
  });
  const table = ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  return old.replace(/(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/, `$1\n${table}\n\n$2`);
}
