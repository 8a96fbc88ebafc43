// Detects the product of a file or folder, and reads it.
import { readFile, stat } from 'node:fs/promises';
import JSZip from 'jszip';
import { UsageFault } from '../failure.ts';
import { readChatGpt, readClaude } from './conversations.ts';
import type { Foreign } from './item.ts';
import { readMarkdown } from './markdown.ts';
import { readMem0 } from './mem0.ts';
import { readMemoryServer } from './memory-server.ts';

const forms =
  'an archive of `thalamus export`, memory.jsonl of the MCP memory server, memories of mem0 as JSON, a folder of Markdown, or an export of ChatGPT or Claude (.zip or conversations.json)';

/** The content of another product's file or folder; null for an archive of Thalamus. */
export async function readForeign(path: string): Promise<Foreign | null> {
  const about = await stat(path);
  const { mtime } = about;
  if (about.isDirectory()) return { source: 'markdown', brain: 'Notes', items: readMarkdown(path) };
  const head = await headOf(path);
  if (head.startsWith('{"format":"thalamus-archive"')) return null;
  if (head.startsWith('PK')) return ofConversations(await conversationsIn(path), path, mtime);
  const text = await readFile(path, 'utf8');
  if (/^\s*\{\s*"type"\s*:\s*"(entity|relation)"/.test(head))
    return { source: 'mcp-memory', brain: 'Memory server', items: readMemoryServer(text, mtime) };
  return ofConversations(listIn(path, text), path, mtime);
}

async function headOf(path: string): Promise<string> {
  const { createReadStream } = await import('node:fs');
  for await (const chunk of createReadStream(path, { end: 999 })) return String(chunk);
  throw new UsageFault(`${path} is empty.`);
}

/** The conversations of an export; a large one has them in several files. */
async function conversationsIn(path: string): Promise<unknown[]> {
  const zip = await JSZip.loadAsync(await readFile(path)).catch((cause: unknown) => {
    throw new UsageFault(`${path} is a damaged ZIP file. Download it again.`, { cause });
  });
  const files = zip.file(/(^|\/)conversations(-\d+)?\.json$/).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (!files.length)
    throw new UsageFault(`${path} holds no conversations.json. Is it the export of ChatGPT or Claude?`);
  const lists: unknown[] = [];
  for (const file of files) lists.push(...listIn(`${path}/${file.name}`, await file.async('string')));
  return lists;
}

function listIn(path: string, text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageFault(`${path} is not JSON. \`thalamus import\` reads ${forms}.`);
  }
  const named = value as { results?: unknown; memories?: unknown } | null;
  const list = [value, named?.results, named?.memories].find(Array.isArray);
  if (list?.length) return list as unknown[];
  throw new UsageFault(`There is nothing to import in ${path}. \`thalamus import\` reads ${forms}.`);
}

function ofConversations(list: readonly unknown[], path: string, at: Date): Foreign {
  const has = (name: string) => list.some((each) => typeof each === 'object' && each !== null && name in each);
  if (has('mapping')) return { source: 'chatgpt', brain: 'ChatGPT', items: readChatGpt(list, at) };
  if (has('chat_messages')) return { source: 'claude', brain: 'Claude', items: readClaude(list, at) };
  if (has('memory')) return { source: 'mem0', brain: 'Mem0', items: readMem0(list, at) };
  throw new UsageFault(`${path} is of no known form. \`thalamus import\` reads ${forms}.`);
}
