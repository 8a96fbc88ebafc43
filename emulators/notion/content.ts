// Rich text, page properties and blocks: what may be written, and how it reads back.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { checkValue } from '../kit/body.ts';
import { createValidationError } from './errors.ts';

const color = z.string().max(40);

const textItem = z.strictObject({
  type: z.literal('text').optional(),
  text: z.strictObject({
    content: z.string().max(2000),
    link: z.strictObject({ url: z.string().max(2000) }).nullish(),
  }),
  annotations: z
    .strictObject({
      bold: z.boolean(),
      italic: z.boolean(),
      strikethrough: z.boolean(),
      underline: z.boolean(),
      code: z.boolean(),
      color,
    })
    .partial()
    .optional(),
  // Clients may write back a read page, so these two fields are ignored.
  plain_text: z.string().optional(),
  href: z.string().nullish(),
});

/** Rich text as it may be written. */
export const richText = z.array(textItem).max(100);

/** Rich text as it reads back. */
export type RichText = ReturnType<typeof readRichText>;

const plain = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' };

/** Rich text with everything that Notion adds. */
export function readRichText(items: z.infer<typeof richText>) {
  return items.map(({ text, annotations }) => ({
    type: 'text' as const,
    text: { content: text.content, link: text.link ?? null },
    annotations: { ...plain, ...annotations },
    plain_text: text.content,
    href: text.link?.url ?? null,
  }));
}

/** Rich text of a plain sentence, for seeds. */
export function toRichText(content: string): RichText {
  return readRichText([{ text: { content } }]);
}

const option = z.strictObject({
  id: z.string().optional(),
  name: z.string().max(100).optional(),
  color: color.optional(),
});
const date = z.strictObject({ start: z.string(), end: z.string().nullish(), time_zone: z.string().nullish() });

const written = {
  title: richText,
  rich_text: richText,
  number: z.number().nullable(),
  select: option.nullable(),
  status: option.nullable(),
  multi_select: z.array(option).max(100),
  date: date.nullable(),
  checkbox: z.boolean(),
  url: z.string().max(2000).nullable(),
  email: z.string().max(200).nullable(),
  phone_number: z.string().max(200).nullable(),
  people: z.array(z.strictObject({ id: z.string(), object: z.literal('user').optional() })).max(100),
};

/** A type of property that can be written. */
export type PropertyType = keyof typeof written;

/** Names and types of a data source's properties; one is the title. */
export type Schema = Record<string, PropertyType>;

/** Types whose values Notion makes by itself; a relation can be written in Notion, and is not here. */
export type ComputedType = 'rollup' | 'formula' | 'unique_id' | 'created_by' | 'last_edited_by' | 'relation';

/** A property's value as it is kept. */
export type Property = { id: string; type: PropertyType | ComputedType } & Record<string, unknown>;

function readValue(type: PropertyType, value: unknown): unknown {
  if (type === 'title' || type === 'rich_text') return readRichText(value as z.infer<typeof richText>);
  if (type === 'date' && value !== null) return { end: null, time_zone: null, ...(value as object) };
  const readOption = (item: { name?: string }) => ({ id: randomUUID(), color: 'default', ...item });
  if ((type === 'select' || type === 'status') && value !== null) return readOption(value as { name?: string });
  return type === 'multi_select' ? (value as { name?: string }[]).map(readOption) : value;
}

/** A property is named by its name or its id; that of the title is always `title`. */
function findPropertyName(schema: Schema, key: string): string {
  if (Object.hasOwn(schema, key)) return key;
  return Object.keys(schema).find((name) => key === 'title' && schema[name] === 'title') ?? key;
}

/** Checks written properties by the schema of where the page lies; throws validation_error. */
export function readProperties(schema: Schema, given: Record<string, unknown>): Record<string, Property> {
  const read = Object.entries(given).map(([key, value]): [string, Property] => {
    const name = findPropertyName(schema, key);
    const type = schema[name];
    if (!type) throw createValidationError(`${name} is not a property that exists.`);
    const item = value as Record<string, unknown>;
    if (item === null || typeof item !== 'object' || !(type in item))
      throw createValidationError(`${name} is expected to be ${type}.`);
    const extra = Object.keys(item).find((key) => ![type, 'type', 'id'].includes(key));
    if (extra)
      throw createValidationError(`body failed validation: body.properties.${name}.${extra} should be not present.`);
    const checked = checkValue(written[type] as z.ZodType, item[type]);
    if (!('value' in checked))
      throw createValidationError(`body failed validation: body.properties.${name}.${type} is invalid.`);
    return [
      name,
      {
        id: type === 'title' ? 'title' : encodeURIComponent(name.slice(0, 4)),
        type,
        [type]: readValue(type, checked.value),
      },
    ];
  });
  return Object.fromEntries(read);
}

/** The empty values of properties that were not written. */
export function createEmptyProperties(schema: Schema): Record<string, Property> {
  const empty = (type: PropertyType) =>
    ['title', 'rich_text', 'multi_select', 'people'].includes(type) ? [] : type === 'checkbox' ? false : null;
  return Object.fromEntries(
    Object.entries(schema).map(([name, type]): [string, Property] => [
      name,
      { id: type === 'title' ? 'title' : encodeURIComponent(name.slice(0, 4)), type, [type]: empty(type) },
    ]),
  );
}

/** The title of properties as plain text. */
export function getPlainTitle(properties: Record<string, Property>): string {
  const title = Object.values(properties).find(({ type }) => type === 'title');
  return ((title?.title as RichText | undefined) ?? []).map((item) => item.plain_text).join('');
}

const text = { rich_text: richText, color: color.optional() };
const blocks = {
  paragraph: z.strictObject(text),
  heading_1: z.strictObject({ ...text, is_toggleable: z.boolean().optional() }),
  heading_2: z.strictObject({ ...text, is_toggleable: z.boolean().optional() }),
  heading_3: z.strictObject({ ...text, is_toggleable: z.boolean().optional() }),
  bulleted_list_item: z.strictObject(text),
  numbered_list_item: z.strictObject(text),
  to_do: z.strictObject({ ...text, checked: z.boolean().optional() }),
  toggle: z.strictObject(text),
  quote: z.strictObject(text),
  callout: z.strictObject({ ...text, icon: z.unknown().optional() }),
  code: z.strictObject({ rich_text: richText, language: z.string().optional(), caption: richText.optional() }),
  divider: z.strictObject({}),
  table: z.strictObject({
    table_width: z.number().int().min(1),
    has_column_header: z.boolean().optional(),
    has_row_header: z.boolean().optional(),
  }),
  table_row: z.strictObject({ cells: z.array(richText) }),
  column_list: z.strictObject({}),
  column: z.strictObject({ width_ratio: z.number().min(0).max(1).optional() }),
  equation: z.strictObject({ expression: z.string().max(1000) }),
  bookmark: z.strictObject({ url: z.string().max(2000), caption: richText.optional() }),
};

/** Blocks that contain only one kind of child, and at least this many. */
const holders: Partial<Record<string, [kind: string, least: number]>> = {
  table: ['table_row', 1],
  column_list: ['column', 2],
};

function checkChildren(type: string, content: Record<string, unknown>, children: NewBlock[], at: string): void {
  const [kind, least] = holders[type] ?? [];
  if (!kind) return;
  const fits = ({ type: own, content: { cells } }: NewBlock) =>
    own === kind && (type !== 'table' || (cells as unknown[]).length === content['table_width']);
  if (children.length < (least ?? 0) || !children.every(fits))
    throw createValidationError(`body failed validation: ${at}.${type}.children should be ${kind} blocks that fit.`);
}

/** A type of block that can be written; pages in pages are `child_page`. */
export type BlockType = keyof typeof blocks | 'child_page' | 'child_database';

/** A block as it was written: its type, its content, its children. */
export type NewBlock = { type: BlockType; content: Record<string, unknown>; children: NewBlock[] };

/** Reads written blocks, up to two levels deep; throws validation_error. */
export function readBlocks(given: unknown, path: string, depth = 0): NewBlock[] {
  if (!Array.isArray(given)) throw createValidationError(`body failed validation: ${path} should be an array.`);
  if (given.length > 100)
    throw createValidationError(`body failed validation: ${path}.length should be ≤ 100, instead was ${given.length}.`);
  if (depth > 2) throw createValidationError(`body failed validation: ${path} is nested too deeply.`);
  return given.map((block: Record<string, unknown>, index) => {
    const at = `${path}[${index}]`;
    const named = Object.keys(block ?? {}).filter((key) => !['object', 'type'].includes(key));
    const type = named[0] as keyof typeof blocks | undefined;
    if (!type || named.length > 1 || !Object.hasOwn(blocks, type) || (block.type ?? type) !== type) {
      throw createValidationError(`body failed validation: ${at} should be a block, instead has ${named.join(', ')}.`);
    }
    const { children: below, ...written } = block[type] as Record<string, unknown>;
    const content = readBlockContent(type, written, at);
    const children = below === undefined ? [] : readBlocks(below, `${at}.${type}.children`, depth + 1);
    checkChildren(type, content, children, at);
    return { type, content, children };
  });
}

const defaults: Record<string, Record<string, unknown>> = {
  to_do: { checked: false },
  code: { language: 'plain text' },
  table: { has_column_header: false, has_row_header: false },
};

/** Checks the content of one block. */
export function readBlockContent(type: string, content: unknown, at: string): Record<string, unknown> {
  if (!Object.hasOwn(blocks, type))
    throw createValidationError(`body failed validation: ${at}.${type} cannot be written.`);
  const checked = checkValue(blocks[type as keyof typeof blocks] as z.ZodType<Record<string, unknown>>, content);
  if (!('value' in checked)) {
    const detail = checked.error.kind === 'malformed' ? '' : `.${checked.error.at}`;
    throw createValidationError(`body failed validation: ${at}.${type}${detail} is invalid.`);
  }
  const { rich_text: rich, cells, caption, ...rest } = checked.value;
  const read = (items: unknown) => readRichText(items as z.infer<typeof richText>);
  return {
    ...(rich ? { rich_text: read(rich) } : {}),
    ...(rich && type !== 'code' ? { color: 'default' } : {}),
    ...(type === 'code' || type === 'bookmark' ? { caption: read(caption ?? []) } : {}),
    ...(cells ? { cells: (cells as unknown[]).map(read) } : {}),
    ...defaults[type],
    ...rest,
  };
}
