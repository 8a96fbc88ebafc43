// Writes an item as a page, by a template.
import type { Json } from '#kernel/page';
import { partsOf, textOf, valueAt, valueOf, type Values, written } from '#providers/http';
import { type ItemContent, textOfHtml } from '#providers/reading';
import type { PageTemplate } from './descriptor.ts';

/** What an item says, by the template of its page. */
export async function buildContent(template: PageTemplate, values: Values): Promise<ItemContent> {
  const { title, frontmatter, author, occurredAt } = template;
  const fields = Object.entries(frontmatter).map(([name, path]) => [name, asJson(valueOf(path, values))] as const);
  return {
    title: written(title, values),
    body: await buildBody(template, values),
    frontmatter: Object.fromEntries(fields),
    author: written(author, values),
    ...(occurredAt !== undefined && { occurredAt: valueOf(occurredAt, values) }),
  };
}

async function buildBody({ body, isHtml }: PageTemplate, values: Values): Promise<string> {
  const blocks = body.filter((block) => isKnown(block, values)).map((block) => written(block, values));
  return isHtml ? textOfHtml(blocks.join('<br><br>')) : blocks.join('\n\n');
}

/** Whether a block has no placeholder, or one that has a value. */
function isKnown(block: string, values: Values): boolean {
  const paths = partsOf(block).flatMap((part) => ('path' in part ? [part.path] : []));
  return paths.length === 0 || paths.some((path) => textOf(valueAt(values, path)) !== '');
}

function asJson(value: unknown): Json {
  return (value ?? null) as Json; // it was read from JSON
}
