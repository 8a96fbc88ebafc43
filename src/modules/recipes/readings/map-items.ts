// Makes pages of the items of an answer.
import type { NewPage } from '#kernel/page';
import { fillPlainTemplate, listTemplatePaths, readOwnValue } from '#providers/http';
import type { ReadingMapping } from '../manifest/reading-template.ts';

/** An identity must fit into an index of the database. */
const longestRefBytes = 2_000;
const longestType = 100;
const longestValue = 20_000;
const mostErrors = 50;

/** Values of the install beside those of the item: its inputs, by the paths that begin with `inputs.`. */
type InstallValues = { inputs: Readonly<Record<string, unknown>> };

export type MappedItems = { pages: NewPage[]; errors: string[] };

/**
 * A page for each item. All values of its frontmatter are text. An item without a value for its identity becomes no page:
 * another one would have the same identity. `source`: what the pages are from; `from`: the position of
 * the first item.
 */
export function mapItems(
  mapping: ReadingMapping,
  items: readonly unknown[],
  { source, at, values, from = 0 }: { source: string; at: Date; values: InstallValues; from?: number },
): MappedItems {
  const mapped: MappedItems = { pages: [], errors: [] };
  const refs = new Set<string>();
  for (const [position, item] of items.entries()) {
    const all = { ...(isRecord(item) ? item : { value: item }), ...pickInputs(mapping, values) };
    const error = findRefError(mapping, all);
    if (error !== null) {
      if (mapped.errors.length < mostErrors) mapped.errors.push(`Item ${from + position + 1}: ${error}`);
      continue;
    }
    const page = buildPage(mapping, all, { source, at });
    if (!refs.has(page.sourceRef)) mapped.pages.push(page);
    refs.add(page.sourceRef);
  }
  return mapped;
}

function buildPage(mapping: ReadingMapping, values: unknown, { source, at }: { source: string; at: Date }): NewPage {
  const { source_ref_prefix: prefix, source_ref, page_type, title, body = '', frontmatter } = mapping;
  const fill = (template: string) => fillPlainTemplate(template, values);
  const sourceRef = `${prefix}${fill(source_ref)}`;
  const fields = Object.entries(frontmatter).map(([name, template]) => [name, fill(template).slice(0, longestValue)]);
  return {
    sourceRef,
    source,
    type: fill(page_type).trim().slice(0, longestType) || 'item',
    title: fill(title).trim() || sourceRef,
    body: fill(body),
    frontmatter: Object.fromEntries(fields),
    occurredAt: at,
    isOnce: true,
  };
}

function findRefError({ source_ref_prefix: prefix, source_ref }: ReadingMapping, values: unknown): string | null {
  const missing = listTemplatePaths(source_ref).find((path) => {
    const value = readOwnValue(values, path);
    return value === undefined || value === null || value === '';
  });
  if (missing !== undefined) return `it has no ${missing}, which source_ref needs.`;
  const bytes = Buffer.byteLength(`${prefix}${fillPlainTemplate(source_ref, values)}`);
  return bytes > longestRefBytes ? `its source_ref has more than ${longestRefBytes} bytes.` : null;
}

/** The inputs, where a template of the mapping names one: an item may have a field of the same name. */
function pickInputs(mapping: ReadingMapping, { inputs }: InstallValues): { inputs?: object } {
  return JSON.stringify(mapping).includes('{{inputs.') ? { inputs } : {};
}

function isRecord(item: unknown): item is Record<string, unknown> {
  return typeof item === 'object' && item !== null;
}
