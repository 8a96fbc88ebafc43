// Writes the texts of pages. Parts without a value are left out.
import type { Json } from '#kernel/page';
import { formatText, readValue } from '#providers/http';

/** A function that reads the values of one item by their paths, such as `user.login`. */
export type ReadValue = (path: string) => unknown;

/** Reads values of an item by their paths. */
export function createReadValue(item: unknown): ReadValue {
  return (path) => readValue(item, path);
}

/**
 * A text with its values. Lists are written with commas; missing values are left out.
 * @example writeText`${read('name')} ${read('title')}`
 */
export function writeText(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  return strings
    .map((literal, place) => `${literal}${formatText(values[place])}`)
    .join('')
    .trim();
}

/**
 * The same for a block of a page: empty when none of its values says anything.
 * @example writeBlock`Labels: ${read('labels.*.name')}`
 */
export function writeBlock(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  const saysNothing = values.length > 0 && values.every((value) => formatText(value) === '');
  return saysNothing ? '' : writeText(strings, ...values);
}

/** The blocks that are not empty, separated by an empty line. */
export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter(Boolean).join('\n\n');
}

/** Fields of frontmatter from the values at their paths; null for a missing value. */
export function readFields(read: ReadValue, paths: Readonly<Record<string, string>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, (read(path) ?? null) as Json])); // parsed from JSON
}

/** A list at a path; empty when there is none. */
export function readList(value: unknown, path: string): unknown[] {
  const list = readValue(value, path);
  return Array.isArray(list) ? list : [];
}
