// Writes an item as a page, by a template.
import type { Json } from '#kernel/page';
import { splitTemplate, formatText, readValue, readTemplateValue, type Values, fillTemplate } from '#providers/http';
import { type ItemContent, readHtmlText } from '#providers/reading';
import type { PageTemplate } from './descriptor.ts';

/** The content of an item, by the template of its page. */
export async function buildContent(template: PageTemplate, values: Values): Promise<ItemContent> {
  const { title, frontmatter, author, occurredAt } = template;
  const fields = Object.entries(frontmatter).map(
    ([name, path]) => [name, toJson(readTemplateValue(path, values))] as const,
  );
  return {
    title: fillTemplate(title, values),
    body: await buildBody(template, values),
    frontmatter: Object.fromEntries(fields),
    author: fillTemplate(author, values),
    ...(occurredAt !== undefined && { occurredAt: readTemplateValue(occurredAt, values) }),
  };
}

async function buildBody({ body, isHtml }: PageTemplate, values: Values): Promise<string> {
  const blocks = body.filter((block) => isKnown(block, values)).map((block) => fillTemplate(block, values));
  return isHtml ? readHtmlText(blocks.join('<br><br>')) : blocks.join('\n\n');
}

/** Whether a block has no placeholder, or one that has a value. */
function isKnown(block: string, values: Values): boolean {
  const paths = splitTemplate(block).flatMap((part) => ('path' in part ? [part.path] : []));
  return paths.length === 0 || paths.some((path) => formatText(readValue(values, path)) !== '');
}

function toJson(value: unknown): Json {
  return (value ?? null) as Json; // parsed from JSON
}
