// Writes items of another product as an archive, so that the import is complete, resumable, and done only once.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import {
  computeItemId,
  longestMemory,
  buildMemoryLine,
  buildPageLines,
  type ForeignMemory,
  type Item,
} from './item.ts';

/** Names are cut to this length, in characters. */
const longestName = 80;

export type ArchiveSummary = { lines: number; problems: { where: string; message: string }[] };

/** Writes an archive of one brain. The same items give the same bytes. */
export async function writeArchive(path: string, { source, brain, items }: ForeignMemory): Promise<ArchiveSummary> {
  const file = createWriteStream(path, { mode: 0o600 });
  const problems: ArchiveSummary['problems'] = [];
  const ids = new Map<string, string>();
  const links: Extract<Item, { kind: 'link' }>[] = [];
  let lines = 0;
  const write = async (line: object) => {
    lines += 1;
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  };
  const add = (kind: string, item: object) => write({ kind, brain: 1, item });
  await write({ format: 'thalamus-archive', version: 1 });
  await add('brain', {
    parent: null,
    is_personal: false,
    name: brain,
    description: '',
    routing_rules: '',
    language: 'en',
    created_at: '2026-01-01T00:00:00Z',
  });
  for await (const item of items) {
    if (item.kind === 'problem') problems.push(item);
    else if (item.kind === 'link') links.push(item);
    else if (ids.has(item.key))
      problems.push({ where: formatItemTitle(item), message: 'appears twice; the first one counts.' });
    else if (item.kind === 'memory' && item.content.length > longestMemory)
      problems.push({ where: shortenName(item.key), message: `is longer than ${longestMemory} characters.` });
    else {
      ids.set(item.key, computeItemId(source, item.key, item.at));
      const added = item.kind === 'memory' ? [buildMemoryLine(source, item)] : buildPageLines(source, item);
      for (const each of added) await add(item.kind, each);
    }
  }
  for (const { from, to, reasons } of mergeLinks(links))
    await add('link', {
      source_memory_id: ids.get(from),
      target_memory_id: ids.get(to),
      relationship_type: 'relates_to',
      origin: 'stated',
      reason: reasons.join('; ').slice(0, 2_000).toWellFormed(),
      created_at: '2026-01-01T00:00:00Z',
    });
  await write({ end: true, lines: lines + 1 });
  file.end();
  await once(file, 'close');
  return { lines: ids.size, problems };
}

function formatItemTitle(item: Extract<Item, { kind: 'memory' | 'page' }>): string {
  return item.kind === 'page' ? `“${shortenName(item.title)}”` : shortenName(item.key);
}

/** If an item has no name of its own, its key is its whole text. */
function shortenName(key: string): string {
  return key.length > longestName ? `${key.slice(0, longestName).toWellFormed()}…` : key;
}

/** At most one link of a type connects two memories; several relations of two entities become its reasons. */
function mergeLinks(links: readonly Extract<Item, { kind: 'link' }>[]) {
  const pairs = new Map<string, { from: string; to: string; reasons: string[] }>();
  for (const { from, to, reason } of links) {
    const pair = pairs.get(`${from}\0${to}`) ?? { from, to, reasons: [] };
    if (!pair.reasons.includes(reason)) pair.reasons.push(reason);
    pairs.set(`${from}\0${to}`, pair);
  }
  return pairs.values();
}
