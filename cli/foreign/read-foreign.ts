// Detects the product of a file or folder, and reads it.
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import JSZip from 'jszip';
import { UsageError } from '../failure.ts';
import { chatGpt } from './chatgpt.ts';
import { claude } from './claude.ts';
import { readConversations, type ConversationReader } from './conversations.ts';
import type { ForeignMemory, Item } from './item.ts';
import { BrokenJson, readJsonItems } from './json-values.ts';
import { readMarkdown } from './markdown.ts';
import { readMem0 } from './mem0.ts';
import { readMemoryServer } from './memory-server.ts';

/** What can be imported, for messages. */
export const forms =
  'an archive of `thalamus export`, memory.jsonl of the MCP memory server, memories of mem0 as JSON, a folder of Markdown, or an export of ChatGPT or Claude (.zip, its unpacked folder, or conversations.json)';
/** A large export has its conversations in several files. */
const conversationsFile = /(^|\/)conversations(-\d+)?\.json$/i;
/** An unpacked export may have its files in a subfolder. */
const deepest = 2;
/** A ZIP file is read completely, and no more than this at once; an export with pictures is often larger. */
const largestZip = 2 ** 31 - 1;
/** How many items at the beginning may have an unknown form. */
const mostUnknown = 1_000;

type Source = { name: string; open: () => AsyncIterable<Uint8Array> };

/** The content of another product's file or folder; null for an archive of Thalamus. */
export async function readForeign(path: string): Promise<ForeignMemory | null> {
  const about = await stat(path);
  const { mtime } = about;
  if (about.isDirectory()) {
    const files = await findConversations(path, deepest);
    if (files.length) return readItems(files.map(createFileSource), path, mtime);
    return { source: 'markdown', brain: 'Notes', items: readMarkdown(path) };
  }
  const head = await readHead(path);
  if (head.startsWith('{"format":"thalamus-archive"')) return null;
  if (head.startsWith('PK')) return readItems(await readZip(path), path, mtime);
  if (/^\s*\{\s*"type"\s*:\s*"(entity|relation)"/.test(head)) {
    return { source: 'mcp-memory', brain: 'Memory server', items: readMemoryServer(readLines(path), mtime) };
  }
  return readItems([createFileSource(path)], path, mtime);
}

async function readHead(path: string): Promise<string> {
  for await (const chunk of createReadStream(path, { end: 999 })) return String(chunk).replace(/^\ufeff/, '');
  throw new UsageError(`${path} is empty.`);
}

/** Opened when the first line is requested: a reader without a listener would lose its lines. */
async function* readLines(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

function createFileSource(path: string): Source {
  return { name: basename(path), open: () => createReadStream(path) };
}

/** The files of conversations in a folder, in the order of their names. */
async function findConversations(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isFile() && conversationsFile.test(entry.name)) files.push(path);
    else if (entry.isDirectory() && depth > 1 && !entry.name.startsWith('.'))
      files.push(...(await findConversations(path, depth - 1)));
  }
  return files;
}

/** The conversations of an export, unpacked while they are read. */
async function readZip(path: string): Promise<Source[]> {
  if ((await stat(path)).size > largestZip)
    throw new UsageError(`${path} is larger than 2 GB. Unpack it, and import its folder.`);
  const zip = await JSZip.loadAsync(await readFile(path)).catch((cause: unknown) => {
    throw new UsageError(`${path} is a damaged ZIP file. Download it again.`, { cause });
  });
  const files = zip.file(conversationsFile).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (!files.length)
    throw new UsageError(`${path} contains no conversations.json. Is it an export of ChatGPT or Claude?`);
  // Its streams are of the oldest kind, which is not iterable.
  return files.map((file) => ({ name: file.name, open: () => new Readable().wrap(file.nodeStream()) }));
}

type Value = { value: unknown } | { problem: Extract<Item, { kind: 'problem' }> };

/** The items of several files; a damaged file is a problem, after what could be read of it. */
async function* readValues(sources: readonly Source[]): AsyncGenerator<Value> {
  for (const { name, open } of sources)
    try {
      for await (const value of readJsonItems(open())) yield { value };
    } catch (error) {
      if (!(error instanceof BrokenJson)) throw error;
      yield {
        problem: { kind: 'problem', where: name, message: 'is damaged or cut off; the rest of it is left out.' },
      };
    }
}

/** The first item of a known form determines the form of all. */
async function readItems(sources: readonly Source[], path: string, at: Date): Promise<ForeignMemory> {
  const all = readValues(sources);
  const first: Value[] = [];
  let product: ReturnType<typeof findProduct> = null;
  while (!product && first.length < mostUnknown) {
    const { value, done } = await all.next();
    if (done) break;
    first.push(value);
    if ('value' in value) product = findProduct(value.value);
  }
  if (product) return product(concatValues(first, all), at);
  if (first.some((each) => 'value' in each))
    throw new UsageError(`${path} has an unknown form. \`thalamus import\` reads ${forms}.`);
  if (first.length) throw new UsageError(`${path} is not JSON. \`thalamus import\` reads ${forms}.`);
  throw new UsageError(`There is nothing to import in ${path}. \`thalamus import\` reads ${forms}.`);
}

type Product = (values: AsyncIterable<Value>, at: Date) => ForeignMemory;

const products: readonly { field: string; read: Product }[] = [
  { field: 'mapping', read: createConversationProduct(chatGpt, 'ChatGPT') },
  { field: 'chat_messages', read: createConversationProduct(claude, 'Claude') },
  {
    field: 'memory',
    read: (values, at) => ({
      source: 'mem0',
      brain: 'Mem0',
      items: withProblems(values, (each) => readMem0(each, at)),
    }),
  },
];

/** Conversations of a product, for the brain with its name. */
function createConversationProduct(reader: ConversationReader, brain: string): Product {
  return (values, at) => ({
    source: reader.client,
    brain,
    items: withProblems(values, (each) => readConversations(reader, each, at)),
  });
}

function findProduct(value: unknown): Product | null {
  if (typeof value !== 'object' || value === null) return null;
  return products.find(({ field }) => field in value)?.read ?? null;
}

async function* concatValues(first: readonly Value[], rest: AsyncIterable<Value>): AsyncGenerator<Value> {
  yield* first;
  yield* rest;
}

/** Reads the values, and reports the problems of their files afterwards. */
async function* withProblems(
  values: AsyncIterable<Value>,
  read: (values: AsyncIterable<unknown>) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const problems: Item[] = [];
  async function* readable() {
    for await (const each of values)
      if ('problem' in each) problems.push(each.problem);
      else yield each.value;
  }
  yield* read(readable());
  yield* problems;
}
