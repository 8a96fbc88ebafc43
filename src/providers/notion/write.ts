// Writes at Notion. It stores no id of ours: a new item is found by its fingerprint among new items of the integration.
// https://developers.notion.com/reference
import { z } from 'zod';
import { writePath, type ListRequest, type ProviderApi, type Request } from '#providers/http';
import {
  normalizeValue,
  defineWrite,
  splitParagraphs,
  isLoosely,
  writeIfKnown,
  line,
  makeOptional,
  assertFound,
  pick,
  text as textField,
  values,
} from '#providers/writing';
import { notionApi } from './account.ts';

const notion = { source: 'notion', api: notionApi };

const uuid = '[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}';
const isId = (name: string) => new RegExp(`^${uuid}$`).test(name);

/** A link contains the page's id, unless its query names another page (`p=`). */
function createPlaceField(label: string, about: string) {
  return line(label, { about, most: 2_000, within: `^https://[^\\s?#]*?(${uuid})(?:[?#](?!\\S*\\bp=)\\S*)?$` });
}

const page = createPlaceField('Page', "The page's id, link or title.");
const title = line('Title', { most: 500 });
const text = textField('Text', { about: 'Plain text; an empty line begins a new paragraph.', mostParts: 100 });

const richText = z.array(z.object({ plain_text: z.string() }));
const byUs = { id: z.string(), created_by: z.object({ id: z.string() }).nullish() };
const pageOf = z.object({
  ...byUs,
  url: z.string().nullish(),
  in_trash: z.boolean().nullish(),
  properties: z.record(z.string(), z.object({ title: richText.optional() })),
});
const blockOf = z.object({
  ...byUs,
  type: z.string().nullish(),
  child_page: z.object({ title: z.string() }).nullish(),
  paragraph: z.object({ rich_text: richText }).nullish(),
});
const made = z.object({ id: z.string(), url: z.string().nullish() });
const readPlainText = (parts: z.output<typeof richText> = []) => parts.map((part) => part.plain_text).join('');
const readTitle = ({ properties }: z.output<typeof pageOf>) =>
  readPlainText(Object.values(properties).find((property) => property.title)?.title);

const buildRichText = (content: string) => [{ type: 'text', text: { content } }];
const buildTitle = (content: string) => ({ title: buildRichText(content) });
const buildParagraphs = (content: string | undefined) =>
  content === undefined
    ? undefined
    : splitParagraphs(content).map((part) => ({
        object: 'block',
        type: 'paragraph',
        paragraph: { rich_text: buildRichText(part) },
      }));

/** A request for a list: by path, or by query. */
function createListRequest<Item extends z.ZodType>(
  item: Item,
  path: string,
  { query, body }: Pick<Request, 'query' | 'body'> = {},
) {
  const answer = z.object({ results: z.array(item), next_cursor: z.string().nullish() });
  return {
    answer,
    request: (start_cursor) =>
      body === undefined
        ? { path, query: { ...query, page_size: 100, start_cursor } }
        : { method: 'POST', path, body: { ...body, page_size: 100, start_cursor } },
    items: ({ results }) => results,
    next: ({ next_cursor }) => next_cursor,
  } satisfies ListRequest<typeof answer, z.output<Item>>;
}

/** The owner of the account. */
async function findOwnUser(api: ProviderApi) {
  const { id } = await api.read(z.object({ id: z.string() }), { path: '/users/me' });
  return { id };
}

type NotionUser = { me: { id: string } };
const isOurs = ({ created_by: by }: { created_by?: { id: string } | null | undefined }, { me }: NotionUser) =>
  by?.id === me.id;

/** Finds it by its id, or by its title. The search learns of a new title some time later. */
async function findPage(api: ProviderApi, name: string) {
  const missing = `There is no page ${name} that this integration can access.`;
  const several = `Several pages are called ${name}: pass the page's id or link.`;
  const asked = { query: name, filter: { property: 'object', value: 'page' } };
  const isMeant = (each: z.output<typeof pageOf>) => each.in_trash === false && readTitle(each).trim() === name;
  const found = isId(name)
    ? assertFound(await api.find(pageOf, { path: writePath`/pages/${name}` }), missing)
    : await pick(api.list(createListRequest(pageOf, '/search', { body: asked })), isMeant, { missing, several });
  const there = assertFound(found.in_trash === false ? found : undefined, missing);
  return { id: there.id, link: there.url, title: readTitle(there) };
}

async function resolvePage(api: ProviderApi, name: string) {
  return { me: await findOwnUser(api), on: await findPage(api, name) };
}

type ResolvedPage = { on: { id: string; link?: string | null | undefined; title: string } };
const buildFacts = ({ on }: ResolvedPage, label: string) => ({
  names: [writeIfKnown`page ${on.title}`, writeIfKnown`page ${on.id}`, writeIfKnown`page ${on.link}`],
  shown: [{ label, text: writeIfKnown`${on.title} (${on.id})` }],
});

const undo = {
  says: 'Move the page to the trash',
  forMinutes: 60,
  steps: (_input: unknown, { result }: { result: Readonly<Record<string, string>> }) => [
    { method: 'PATCH', path: writePath`/pages/${result['page_id'] ?? ''}`, body: { in_trash: true } } as const,
  ],
};
const buildPageResult = ({ id, url: link }: { id: string; url?: string | null | undefined }) => ({ page_id: id, link });

const createPage = defineWrite(notion, {
  name: 'create_page',
  example: { parent_page_id: 'Gear plan', title: 'Bearings', text: 'What is left to do.' },
  summary: 'Create a page below a page of Notion.',
  risk: 'write',
  fields: {
    parent_page_id: createPlaceField('Below', 'The parent page: its id, link or title.'),
    title,
    text: makeOptional(text),
  },
  editable: ['title', 'text'],
  title: (input) => `Page below ${input.parent_page_id}: ${input.title}`,
  target: (input) => `page ${input.parent_page_id}`,
  otherNames: 'page *',
  handle: 'fingerprint',

  resolve: (api, input) => resolvePage(api, input.parent_page_id),
  snapshot: (_api, found) => buildFacts(found, 'Below'),
  async send(api, input, { on }) {
    const parent = { type: 'page_id', page_id: on.id };
    const body = { parent, properties: { title: buildTitle(input.title) }, children: buildParagraphs(input.text) };
    return buildPageResult(await api.write(made, { method: 'POST', path: '/pages', body }));
  },
  fingerprint: {
    async *list(api, input, of) {
      for await (const block of api.list(createListRequest(blockOf, writePath`/blocks/${of.on.id}/children`)))
        if (block.type === 'child_page' && isOurs(block, of) && normalizeValue(block.child_page?.title) === input.title)
          yield block;
    },
    getId: ({ id }) => id,
    key: (input) => ['child_page', input.title],
    result: (block) => buildPageResult(block),
    idIn: 'page_id',
  },
  undo,
});

const findSource = z.object({
  id: z.string(),
  title: richText.optional(),
  parent: z.object({ database_id: z.string().nullish() }).nullish(),
});

/** The data source that holds a database's rows: a database may have several. */
async function findDataSource(api: ProviderApi, { database_id: name, data_source_id: id }: DataSourceInput) {
  if (name === undefined) {
    const missing = `There is no data source ${id} that this integration can access.`;
    return assertFound(await api.find(findSource, { path: writePath`/data_sources/${id ?? ''}` }), missing);
  }
  const missing = `There is no database ${name} that this integration can access.`;
  if (isId(name)) {
    const database = await api.find(z.object({ data_sources: z.array(findSource) }), {
      path: writePath`/databases/${name}`,
    });
    const several =
      'The database has several data sources: pass the id of one as data_source_id, instead of the database.';
    return pick(database?.data_sources ?? [], () => true, { missing, several });
  }
  const asked = { query: name, filter: { property: 'object', value: 'data_source' } };
  const several = `Several databases are called ${name}: pass the database's id or link.`;
  const found = api.list(createListRequest(findSource, '/search', { body: asked }));
  return pick(found, (each) => readPlainText(each.title).trim() === name, { missing, several });
}

type DataSourceInput = { database_id?: string | undefined; data_source_id?: string | undefined };
const formatDatabase = (input: DataSourceInput) => `${input.database_id ?? ''}${input.data_source_id ?? ''}`;

const addToDatabase = defineWrite(notion, {
  name: 'add_to_database',
  example: { database_id: 'Tasks', title: 'Oil the gears' },
  summary: 'Add a page to a database in Notion.',
  risk: 'write',
  fields: {
    database_id: makeOptional(createPlaceField('Database', "The page's id, link or title.")),
    data_source_id: makeOptional(
      line('Data source', {
        about: 'The id of the data source, instead of the database, when the database has several.',
        shape: { pattern: `^${uuid}$`, says: 'must be the id of a data source' },
      }),
    ),
    title,
    text: makeOptional(text),
    properties: makeOptional(
      values('Properties', {
        about:
          'Values by property name, in Notion\'s format, such as {"Done": {"checkbox": true}}. Pass the title separately.',
      }),
    ),
  },
  oneOf: ['database_id', 'data_source_id'],
  notBoth: ['database_id', 'data_source_id'],
  editable: ['title', 'text', 'properties'],
  title: (input) => `Page in database ${formatDatabase(input)}: ${input.title}`,
  target: (input) => `database ${formatDatabase(input)}`,
  otherNames: 'database *',
  handle: 'fingerprint',

  async resolve(api, input) {
    const me = await findOwnUser(api);
    return { me, source: { id: (await findDataSource(api, input)).id } };
  },
  async snapshot(api, { source: { id } }) {
    const whole = assertFound(
      await api.find(findSource, { path: writePath`/data_sources/${id}` }),
      'This database has no data source.',
    );
    const of = whole.parent?.database_id;
    const baseOf = z.object({ id: z.string(), title: richText.optional(), url: z.string().nullish() });
    const noBase = 'The database of this data source was not found.';
    const base = of ? assertFound(await api.find(baseOf, { path: writePath`/databases/${of}` }), noBase) : undefined;
    const [own, all] = [readPlainText(whole.title), readPlainText(base?.title)];
    return {
      names: [id, own, base?.id, all, base?.url].map((name) => writeIfKnown`database ${name}`),
      shown: [
        { label: 'Database', text: writeIfKnown`${all} (${base?.id})` },
        { label: 'Data source', text: writeIfKnown`${own} (${id})` },
      ],
    };
  },
  async send(api, input, { source }) {
    const body = {
      parent: { type: 'data_source_id', data_source_id: source.id },
      properties: { ...input.properties, title: buildTitle(input.title) },
      children: buildParagraphs(input.text),
    };
    return buildPageResult(await api.write(made, { method: 'POST', path: '/pages', body }));
  },
  fingerprint: {
    async *list(api, input, of) {
      const body = {
        filter: { timestamp: 'created_time', created_time: { on_or_after: of.draft.since } },
        sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
      };
      for await (const each of api.list(
        createListRequest(pageOf, writePath`/data_sources/${of.source.id}/query`, { body }),
      ))
        if (isOurs(each, of) && readTitle(each).trim() === input.title) yield each;
    },
    getId: ({ id }) => id,
    key: (input) => input.title,
    result: (each) => buildPageResult(each),
    idIn: 'page_id',
  },
  undo,
});

const readLastPart = (content: string) => normalizeValue(splitParagraphs(content).at(-1));

const appendToPage = defineWrite(notion, {
  name: 'append_to_page',
  example: { page_id: 'Gear plan', text: 'The third wheel slips.' },
  summary: 'Append text to a page in Notion.',
  risk: 'write',
  fields: { page_id: page, text },
  editable: ['text'],
  title: (input) => `Text appended to page ${input.page_id}`,
  target: (input) => `page ${input.page_id}`,
  otherNames: 'page *',
  handle: 'fingerprint',

  resolve: (api, input) => resolvePage(api, input.page_id),
  snapshot: (_api, found) => ({ ...buildFacts(found, 'Page'), about: found.on.title }),
  async send(api, input, { on }) {
    const path = writePath`/blocks/${on.id}/children`;
    const answer = z.object({ results: z.array(made).min(1) });
    const { results } = await api.write(answer, {
      method: 'PATCH',
      path,
      body: { children: buildParagraphs(input.text) },
    });
    return { page_id: on.id, last_block_id: results.at(-1)?.id, link: on.link };
  },
  // Notion accepts all paragraphs or none, so the last one shows whether it did.
  fingerprint: {
    async *list(api, input, of) {
      for await (const block of api.list(createListRequest(blockOf, writePath`/blocks/${of.on.id}/children`)))
        if (isOurs(block, of) && normalizeValue(readPlainText(block.paragraph?.rich_text)) === readLastPart(input.text))
          yield block;
    },
    getId: ({ id }) => id,
    key: (input) => readLastPart(input.text),
    result: ({ id }, { on }) => ({ page_id: on.id, last_block_id: id, link: on.link }),
    idIn: 'last_block_id',
  },
});

const createComment = defineWrite(notion, {
  name: 'create_comment',
  aliases: [{ name: 'add_comment', fields: { comment: 'text', body: 'text' } }],
  example: { page_id: 'Gear plan', text: 'Is this still so?' },
  summary: 'Comment on a page in Notion.',
  risk: 'write',
  fields: { page_id: page, text: textField('Comment', { about: 'Plain text.', most: 2_000 }) },
  editable: ['text'],
  title: (input) => `Comment on page ${input.page_id}`,
  target: (input) => `page ${input.page_id}`,
  otherNames: 'page *',
  handle: 'fingerprint',

  resolve: (api, input) => resolvePage(api, input.page_id),
  snapshot: (_api, found) => ({ ...buildFacts(found, 'Page'), about: found.on.title }),
  async send(api, input, { on }) {
    const body = { parent: { page_id: on.id }, rich_text: buildRichText(input.text) };
    const { id } = await api.write(made, { method: 'POST', path: '/comments', body });
    return { comment_id: id, page_id: on.id, link: on.link };
  },
  fingerprint: {
    async *list(api, _input, of) {
      const commentOf = z.object({ ...byUs, rich_text: richText });
      for await (const each of api.list(createListRequest(commentOf, '/comments', { query: { block_id: of.on.id } })))
        if (isOurs(each, of)) yield each;
    },
    getId: ({ id }) => id,
    isLike: (each, input) => isLoosely(readPlainText(each.rich_text), input.text),
    key: (input) => input.text,
    result: ({ id }, { on }) => ({ comment_id: id, page_id: on.id, link: on.link }),
    idIn: 'comment_id',
  },
});

/** The writes at Notion. */
export const notionWrites = [createPage, addToDatabase, appendToPage, createComment];
