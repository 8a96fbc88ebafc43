import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { spinner } from '@clack/prompts';
import type { Command } from 'commander';
import { callByName } from '../client.ts';
import { UsageError } from '../failure.ts';
import { printAnswer } from '../output.ts';
import { readProfile } from '../profile.ts';

type Schema = {
  type?: string;
  description?: string;
  enum?: string[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
};
type Entry = {
  name: string;
  summary: string;
  toolset: string;
  scope: string;
  input: Schema;
  examples: { title: string; input: unknown }[];
};
type Options = { input?: string; json?: boolean; idempotencyKey?: string; fields?: boolean };

const slow = 1_000;

/** `thalamus call`: runs every operation of the catalogue, without code for single operations. */
export function addCallCommand(program: Command): void {
  program
    .command('call [operation] [fields...]')
    .description(
      'Call any operation with fields as name=value; name=@file reads a file. Without an operation, list them all.',
    )
    .option('-i, --input <json>', 'the whole input as JSON; - reads standard input')
    .option('-k, --idempotency-key <key>', 'a repeated call with the same key gives the same answer')
    .option('-f, --fields', "show the operation's fields and an example")
    .option('--json', 'print one line of JSON')
    .action(async (name: string | undefined, fields: string[], options: Options) => {
      const catalogue = readCatalogue();
      if (!name) return void process.stdout.write(formatOperationList(catalogue));
      const entry = catalogue.find((each) => each.name === name);
      if (options.fields)
        return void process.stdout.write(formatOperationHelp(entry ?? refuseUnknown(name, catalogue)));
      const input = {
        ...(await readJson(options.input)),
        ...parseFields(fields, (entry ?? refuseUnknown(name, catalogue)).input),
      };
      printAnswer(await withProgress(name, () => callByName(readProfile(), name, input, options)), options);
    });
}

function readCatalogue(): Entry[] {
  const file = new URL('../../catalogue.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { operations: Entry[] }).operations; // generated from the operations
}

function refuseUnknown(name: string, catalogue: Entry[]): never {
  const near = catalogue.filter((entry) => name.split('_').some((word) => entry.name.includes(word)));
  const hint = near.length ? ` Did you mean ${near.map((entry) => entry.name).join(', ')}?` : '';
  throw new UsageError(`There is no operation ${name}.${hint} \`thalamus call\` lists them.`);
}

async function readJson(input: string | undefined): Promise<Record<string, unknown>> {
  if (!input) return {};
  try {
    return JSON.parse(input === '-' ? await text(process.stdin) : input) as Record<string, unknown>; // checked by the server
  } catch {
    throw new UsageError('--input is not valid JSON. Example: --input \'{"content": "…"}\'');
  }
}

/**
 * `limit=5` becomes the number 5 if the operation expects a number; `{…}` and `[…]` are read as JSON. `@file` is the
 * text of that file, and `@@text` the text `@text`.
 */
function parseFields(fields: string[], schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const [name = '', ...rest] = field.split('=');
      if (!rest.length) throw new UsageError(`«${field}» is not name=value.`);
      return [name, parseFieldValue(readText(name, rest.join('=')), schema.properties?.[name])];
    }),
  );
}

function readText(name: string, given: string): string {
  if (!given.startsWith('@')) return given;
  if (given.startsWith('@@')) return given.slice(1);
  const path = given.slice(1);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    const message = `${name}: the file ${path} cannot be read. ${name}=@file reads a file; for text that begins with @, write ${name}=@${given}.`;
    throw new UsageError(message);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes); // the server handles a byte order mark
  } catch {
    throw new UsageError(`${name}: the file ${path} is not UTF-8 text. Save it as UTF-8, or use a field for base64.`);
  }
}

function parseFieldValue(given: string, schema: Schema | undefined): unknown {
  if (schema?.type === 'string' || schema === undefined) return given;
  try {
    return JSON.parse(given);
  } catch {
    return schema.type === 'array' ? given.split(',') : given;
  }
}

/** Shows a spinner on a terminal once a call takes longer than a second. */
async function withProgress<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work();
  const waiting = spinner({ output: process.stderr });
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    waiting.start(`${name} is running`);
  }, slow);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (isShown) waiting.stop(name);
  }
}

function formatOperationList(catalogue: Entry[]): string {
  const width = Math.max(...catalogue.map((entry) => entry.name.length));
  return `${catalogue.map((entry) => `${entry.name.padEnd(width)}  ${entry.summary}`).join('\n')}\n`;
}

function formatOperationHelp(entry: Entry): string {
  const fields = Object.entries(entry.input.properties ?? {}).map(([name, schema]) => {
    const isRequired = entry.input.required?.includes(name) ? 'required' : 'optional';
    const kind = schema.enum?.join(' | ') ?? schema.type ?? 'any';
    return `  ${name} (${kind}, ${isRequired}${schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`}) ${schema.description ?? ''}`;
  });
  const examples = entry.examples.map(
    ({ title, input }) => `  # ${title}\n  thalamus call ${entry.name} --input ${quoteWord(JSON.stringify(input))}`,
  );
  return `${entry.name}: ${entry.summary}\nScope: ${entry.scope}\n\nFields:\n${fields.join('\n') || '  none'}\n\nExamples:\n${examples.join('\n')}\n`;
}

/** Quotes any text as one word for the shell. */
function quoteWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
