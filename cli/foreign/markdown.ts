import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { clean, parseMoment, type Item } from './item.ts';

const mostBytes = 20_000_000;
const opening = /^---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/**
 * Reads a folder of Markdown, such as an Obsidian vault: each file becomes a page, with its properties (YAML between lines of three
 * hyphens, help.obsidian.md/properties) as fields. Hidden folders, such as `.obsidian` and `.trash`, are left out.
 */
export async function* readMarkdown(folder: string): AsyncGenerator<Item> {
  for await (const path of listMarkdownFiles(folder)) {
    const where = relative(folder, path);
    try {
      yield await readNote(path, where);
    } catch (error) {
      yield { kind: 'problem', where, message: error instanceof Error ? error.message : String(error) };
    }
  }
}

async function* listMarkdownFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listMarkdownFiles(path);
    else if (entry.isFile() && /\.(md|markdown)$/i.test(entry.name)) yield path;
  }
}

async function readNote(path: string, where: string): Promise<Item> {
  const { size, mtime } = await stat(path);
  if (size > mostBytes) throw new Error('is larger than 20 MB.');
  const text = clean(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)));
  const properties = parseProperties(text);
  const body = text.replace(opening, '');
  const { title, date, created } = properties;
  const name = where.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
  return {
    kind: 'page',
    key: where,
    type: 'note',
    title: typeof title === 'string' && title.trim() ? title : name,
    body,
    frontmatter: { ...properties, path: where },
    at: parseMoment(date ?? created, mtime),
  };
}

/** The properties of a note. Throws when they are not valid YAML. */
function parseProperties(text: string): Record<string, unknown> {
  const [, yaml] = opening.exec(text) ?? [];
  if (yaml === undefined) return {};
  let read: unknown;
  try {
    read = parse(yaml);
  } catch {
    throw new Error('has properties that are not valid YAML.');
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return {};
  return JSON.parse(JSON.stringify(read)) as Record<string, unknown>; // values that JSON does not support are left out
}
