// Any service with JSON answers. The person describes it as far as needed; it is then read like every described
// service.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import {
  createDescribedAsk,
  checkNamedFields,
  described,
  type Descriptor,
  descriptorSchema,
  readDescribedChanges,
  findStreamErrors,
} from '#providers/described';
import { readValue } from '#providers/http';
import {
  type Batch,
  type Changes,
  defineSource,
  fromNothing,
  type Reader,
  type ChangesSince,
  parseDateWindow,
} from '#providers/reading';
import { findParameter, detectShape, type Shape } from './shape.ts';

/** Like a descriptor, but a text without a placeholder is the name of a field. */
const settings = z.strictObject({
  items: described.listing.items
    .optional()
    .describe('The path of the list in the answer, with dots; empty: the answer itself.'),
  query: described.call.queryParams.describe('Parameters, such as {"updated_after": "{{since}}", "page": "{{page}}"}.'),
  paging: described.listing.paging
    .optional()
    .describe('{by: none | link | url | token | page | offset, at?, size?, first?}.'),
  id: described.page.ref.optional(),
  title: described.page.title.optional(),
  body: described.page.body.optional(),
  author: described.page.author.optional(),
  changed_at: described.since.at.optional().describe('The field that says when an item was changed.'),
  page_type: described.page.type.optional(),
});
type Settings = z.output<typeof settings>;

const input = settings.extend({
  since: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })])
    .optional()
    .describe('Only what was changed since then.'),
  limit: z.number().int().min(1).max(1_000).default(100).describe('At most this many items.'),
});

const cursor = z.object({ descriptor: descriptorSchema, inner: z.unknown() });

const about = {
  name: 'http_json',
  label: 'HTTP JSON',
  description: 'Items that any address returns as JSON become pages. Requests are sent there with your approval.',
  coverage: {
    goesBack: 'All items of the answer; then changed ones, as far as the items say when they changed.',
    notRead: ['Further pages of the list, unless the settings describe them (paging).', 'Files that items link to.'],
  },
  provider: 'http_json',
  scopes: [],
};

/** An address with JSON answers: each item becomes a page. */
export const httpJson = defineSource({
  ...about,
  icon: 'Braces',
  supports: { fetch: true, act: true, adapter: false },
  input,
  settings,
  hint: 'Pass input: {} to have the form of the answer found, or say it: {items: "data.results", id: "uuid", title: "{{item.name}}", body: ["{{item.text}}"], changed_at: "updated_at", paging: {by: "token", at: "next"}, query: {cursor: "{{page}}"}}.',
  parseRequest(request, moment) {
    const window = parseDateWindow(request, moment);
    return window && { since: window.start };
  },

  async *read(reader, { since, limit, ...own }, { now }) {
    const descriptor = await describe(reader, own);
    if (!descriptor) return;
    let left = limit;
    const from = { ...fromNothing, from: since === undefined ? null : new Date(since), now };
    const reading = { ask: createDescribedAsk(descriptor, reader), account: reader.account };
    for await (const { pages, errors, total } of readDescribedChanges(descriptor, { ...reading, since: from })) {
      yield { pages: pages.slice(0, left), errors, total } satisfies Batch;
      left -= pages.length;
      if (left <= 0) return;
    }
  },

  // parsed when the sync was created
  changes: (reader, since, own) => readChanges(reader, since, own as Settings),
});

/** How the answer is read is determined once, and stored: later answers do not change it. */
async function* readChanges(reader: Reader, since: ChangesSince, own: Settings): AsyncGenerator<Changes> {
  const known = cursor.safeParse(since.cursor).data;
  const descriptor = known?.descriptor ?? (await describe(reader, own));
  if (!descriptor) return;
  const reading = { ask: createDescribedAsk(descriptor, reader), account: reader.account };
  const from = { ...since, cursor: known?.inner ?? null };
  for await (const batch of readDescribedChanges(descriptor, { ...reading, since: from })) {
    yield { ...batch, cursor: { descriptor, inner: batch.cursor } };
  }
}

/** Null: the list is empty, so nothing can be derived from it. */
async function describe(reader: Reader, own: Settings): Promise<Descriptor | null> {
  const { address } = reader;
  if (address === null) throw new AppError('conflict', 'This account has no address. Link it again.');
  // The first page: parameters that have no value yet are left out.
  const query = omitPlaceholders(own.query);
  const { data } = await createDescribedAsk({ api: { baseUrl: address } }, reader)(buildCall(query), {});
  const shape = detectShape(data, own.items);
  const items = readValue(data, shape.items);
  checkNamedFields(listTexts(own), Array.isArray(items) ? items : []);
  const isKnown = own.id !== undefined && own.title !== undefined;
  if (!isKnown && shape.fields.length === 0) return null;
  const descriptor = buildDescriptor(address, own, shape);
  const [wrong] = findStreamErrors(descriptor);
  if (wrong !== undefined) throw new AppError('invalid_input', wrong);
  return descriptor;
}

function buildDescriptor(address: string, own: Settings, shape: Shape): Descriptor {
  const { paging = shape.paging, query, items = shape.items } = own;
  const parameter = hasPlaceholder(query, 'page') ? null : findParameter(paging);
  const queryParams = parameter === null ? query : { ...query, [parameter]: '{{page}}' };
  const changedAt = own.changed_at ?? shape.changedAt;
  return descriptorSchema.parse({
    ...about,
    api: { baseUrl: address },
    streams: [
      {
        name: 'items',
        listing: { call: buildCall(queryParams), items, paging },
        since: { at: changedAt ?? '', as: 'iso', ...(changedAt !== null && { isUnsorted: true }) },
        isConditional: true,
        // A list of changes is incomplete. A single page that the person declares complete needs no paging.
        ...(!hasPlaceholder(query, 'since') && { absence: {} }),
        ...(shape.total !== null && paging.by !== 'none' && { total: shape.total }),
        page: buildPageTemplate(own, shape),
      },
    ],
  });
}

function hasPlaceholder(query: Settings['query'], placeholder: string): boolean {
  return JSON.stringify(query ?? {}).includes(`{{${placeholder}}}`);
}

function buildCall(queryParams: Settings['query']) {
  return { method: 'GET' as const, path: '', ...(queryParams && { queryParams }) };
}

function omitPlaceholders(query: Settings['query'] = {}) {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => !JSON.stringify(value).includes('{{')));
}

function buildPageTemplate(own: Settings, shape: Shape): Descriptor['streams'][number]['page'] {
  const { fields } = shape;
  const id = own.id ?? shape.id;
  if (id === null) {
    throw new AppError(
      'invalid_input',
      `id: no field identifies the items uniquely. Choose one: ${fields.join(', ')}.`,
    );
  }
  const author = own.author ?? shape.author;
  const madeAt = shape.madeAt ?? own.changed_at ?? shape.changedAt;
  const body = own.body ?? (shape.body === null ? null : [shape.body]);
  return {
    type: own.page_type ?? 'item',
    ref: toTemplate(id),
    title: toTemplate(own.title ?? shape.title ?? id),
    body: body ? body.map(toTemplate) : fields.map((field) => `${field}: {{item.${field}}}`),
    ...(shape.isHtml && own.body === undefined && { isHtml: true }),
    frontmatter: {
      ...Object.fromEntries(fields.map((field) => [field, toTemplate(field)])),
      ...(shape.link !== null && { link: toTemplate(shape.link) }),
    },
    author: author === null ? '' : toTemplate(author),
    ...(madeAt !== null && { occurredAt: toTemplate(madeAt) }),
  };
}

/** The person's templates for items, by the name of their setting. */
function listTexts({ id, title, body, author, changed_at }: Settings): Record<string, string> {
  const texts = { id, title, body: body?.map(toTemplate).join(' '), author, changed_at };
  const written = Object.entries(texts).filter((each): each is [string, string] => Boolean(each[1]));
  return Object.fromEntries(written.map(([name, text]) => [name, toTemplate(text)]));
}

/** `name` is short for `{{item.name}}`. */
function toTemplate(text: string): string {
  return text.includes('{{') ? text : `{{item.${text}}}`;
}
