// Users, search, databases, pages, blocks and comments.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { getIntegerParameter, getTextParameter } from '../kit/routing.ts';
import type { QueryRule } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import { readBlockContent, readBlocks, readProperties, readRichText, richText, getPlainTitle } from './content.ts';
import { createValidationError } from './errors.ts';
import {
  blockResource,
  buildNotionComment,
  buildDatabaseResource,
  buildDataSourceResource,
  buildPageResource,
  buildNotionUser,
} from './resources.ts';
import { requireFound, parseNotionId, parseJsonBody, listReply, getPathId } from './routing.ts';
import type { Call, Route } from './routing.ts';
import { insertBlocks, insertPage, isBelowTrash, isShared, getSchema, stamp } from './state.ts';
import type { Block, Database, Page, Parent } from './state.ts';

const pageSize = z.number().int().min(1).max(100).optional();
const cursor = z.string().nullish();
const pageQuery: Record<string, QueryRule> = {
  page_size: { type: 'integer', min: 1, max: 100 },
  start_cursor: { type: 'string' },
};

function getMe({ world, caller }: Call): Reply {
  const owner = world.data.users.get(caller.account);
  const name = world.data.oauth.clients.get(caller.clientId)?.name;
  return {
    json: {
      object: 'user',
      id: caller.clientId,
      type: 'bot',
      name,
      avatar_url: null,
      bot: {
        owner: owner ? { type: 'user', user: buildNotionUser(owner) } : { type: 'workspace', workspace: true },
        workspace_name: world.workspace.name,
        workspace_id: world.workspace.id,
      },
    },
  };
}

function parsePageQuery(call: Call, type: string) {
  return { start: getTextParameter(call, 'start_cursor'), size: getIntegerParameter(call, 'page_size', 100), type };
}

function listUsers(call: Call): Reply {
  return listReply([...call.world.data.users.values()], parsePageQuery(call, 'user'), buildNotionUser);
}

function getUser(call: Call): Reply {
  const id = getPathId(call, 'user_id');
  return { json: buildNotionUser(requireFound('user', id, call.world.data.users.get(id))) };
}

/** A page that is shared with the integration. */
function getSharedPage({ world }: Call, id: string): Page {
  const page = world.data.pages.get(id);
  return requireFound('page', id, page && isShared(world, { type: 'page_id', id }) ? page : undefined);
}

function getSharedDatabase({ world, version }: Call, id: string, by: 'id' | 'dataSourceId'): Database {
  const database = [...world.data.databases.values()].find((item) => item[by] === id);
  const shared = database && isShared(world, { type: 'data_source_id', id: database.dataSourceId });
  return requireFound(
    version === '2022-06-28' || by === 'id' ? 'database' : 'data_source',
    id,
    shared ? database : undefined,
  );
}

const searchBody = z.strictObject({
  query: z.string().optional(),
  sort: z
    .strictObject({ timestamp: z.literal('last_edited_time'), direction: z.enum(['ascending', 'descending']) })
    .optional(),
  filter: z
    .strictObject({ property: z.literal('object'), value: z.enum(['page', 'database', 'data_source']) })
    .optional(),
  start_cursor: cursor,
  page_size: pageSize,
});

function search(call: Call): Reply {
  const { world, version } = call;
  const { query = '', sort, filter, start_cursor: start, page_size: size } = parseJsonBody(call, searchBody);
  const other = version === '2022-06-28' ? 'database' : 'data_source';
  if (filter && ![other, 'page'].includes(filter.value)) {
    throw createValidationError(`body failed validation: body.filter.value should be "page" or "${other}".`);
  }
  // Titles only. New items are not indexed yet.
  const indexed = call.now.getTime() - world.searchLagSeconds * 1000;
  const fits = (title: string, created: string) =>
    title.toLowerCase().includes(query.toLowerCase()) && Date.parse(created) <= indexed;
  const pages = [...world.data.pages.values()]
    .filter(
      (page) =>
        !page.inTrash &&
        !page.isUnindexed &&
        !isBelowTrash(world, page.parent) &&
        isShared(world, { type: 'page_id', id: page.id }) &&
        fits(getPlainTitle(page.properties), page.createdTime),
    )
    .map((page) => ({
      id: page.id,
      edited: page.editedTime,
      kind: 'page',
      shape: () => buildPageResource(call, page) as unknown,
    }));
  const databases = [...world.data.databases.values()]
    .filter(
      (item) =>
        !item.inTrash &&
        !isBelowTrash(world, item.parent) &&
        isShared(world, { type: 'data_source_id', id: item.dataSourceId }) &&
        fits(item.title, item.createdTime),
    )
    .map((item) => ({
      id: version === '2022-06-28' ? item.id : item.dataSourceId,
      edited: item.editedTime,
      kind: other,
      shape: () =>
        (version === '2022-06-28' ? buildDatabaseResource(call, item) : buildDataSourceResource(call, item)) as unknown,
    }));
  const sign = sort?.direction === 'ascending' ? 1 : -1;
  const rows = [...pages, ...databases]
    .filter(({ kind }) => !filter || kind === filter.value)
    .toSorted((one, another) => sign * one.edited.localeCompare(another.edited) || one.id.localeCompare(another.id));
  return listReply(
    rows,
    { start, size, type: version === '2022-06-28' ? 'page_or_database' : 'page_or_data_source' },
    (row) => row.shape(),
  );
}

const timeFilter = z.strictObject({
  timestamp: z.enum(['created_time', 'last_edited_time']),
  created_time: z.record(z.string(), z.string()).optional(),
  last_edited_time: z.record(z.string(), z.string()).optional(),
});

const queryBody = z.strictObject({
  filter: timeFilter.optional(),
  sorts: z
    .array(
      z.strictObject({
        timestamp: z.enum(['created_time', 'last_edited_time']),
        direction: z.enum(['ascending', 'descending']),
      }),
    )
    .max(10)
    .optional(),
  start_cursor: cursor,
  page_size: pageSize,
});

const timeTests: Record<string, (own: number, wanted: number) => boolean> = {
  after: (own, wanted) => own > wanted,
  on_or_after: (own, wanted) => own >= wanted,
  before: (own, wanted) => own < wanted,
  on_or_before: (own, wanted) => own <= wanted,
};

const getPageTime = (page: Page, name: 'created_time' | 'last_edited_time') =>
  name === 'created_time' ? page.createdTime : page.editedTime;

function isTimeMatch(page: Page, filter: z.infer<typeof timeFilter> | undefined): boolean {
  if (!filter) return true;
  return Object.entries(filter[filter.timestamp] ?? {}).every(([name, wanted]) => {
    const compare = timeTests[name];
    if (!compare || Number.isNaN(Date.parse(wanted)))
      throw createValidationError(`body failed validation: body.filter.${filter.timestamp}.${name}`);
    return compare(Date.parse(getPageTime(page, filter.timestamp)), Date.parse(wanted));
  });
}

function queryPages(call: Call, database: Database): Reply {
  const { filter, sorts = [], start_cursor: start, page_size: size } = parseJsonBody(call, queryBody);
  const rows = [...call.world.data.pages.values()].filter(
    ({ parent, inTrash, hidden }) =>
      parent.type === 'data_source_id' && parent.id === database.dataSourceId && !inTrash && !hidden,
  );
  const sort = sorts[0] ?? { timestamp: 'created_time' as const, direction: 'descending' };
  const sign = sort.direction === 'ascending' ? 1 : -1;
  const sorted = rows
    .filter((page) => isTimeMatch(page, filter))
    .toSorted(
      (one, other) =>
        sign * getPageTime(one, sort.timestamp).localeCompare(getPageTime(other, sort.timestamp)) ||
        one.id.localeCompare(other.id),
    );
  return listReply(sorted, { start, size, type: 'page_or_data_source' }, (page) => buildPageResource(call, page));
}

const parentBody = z.union([
  z.strictObject({ type: z.literal('page_id').optional(), page_id: z.string() }),
  z.strictObject({ type: z.literal('data_source_id').optional(), data_source_id: z.string() }),
  z.strictObject({ type: z.literal('database_id').optional(), database_id: z.string() }),
]);

/** Where a new page goes, when that is shared and not in the trash. */
function resolveParent(call: Call, given: z.infer<typeof parentBody>): Parent {
  if ('page_id' in given) {
    const page = getSharedPage(call, parseNotionId(given.page_id, 'body.parent.page_id'));
    if (page.inTrash)
      throw createValidationError("Can't edit block that is archived. You must unarchive the block before editing.");
    return { type: 'page_id', id: page.id };
  }
  const [id, by] =
    'data_source_id' in given ? [given.data_source_id, 'dataSourceId' as const] : [given.database_id, 'id' as const];
  if (by === 'dataSourceId' && call.version === '2022-06-28')
    throw createValidationError('body.parent.data_source_id should be not present.');
  return { type: 'data_source_id', id: getSharedDatabase(call, parseNotionId(id, 'body.parent'), by).dataSourceId };
}

const newPage = z.strictObject({
  parent: parentBody,
  properties: z.record(z.string(), z.unknown()),
  children: z.array(z.unknown()).optional(),
  icon: z.null().optional(),
  cover: z.null().optional(),
});

function createPage(call: Call): Reply {
  const body = parseJsonBody(call, newPage);
  const parent = resolveParent(call, body.parent);
  const properties = readProperties(getSchema(call.world, parent), body.properties);
  const children = readBlocks(body.children ?? [], 'body.children');
  const page = insertPage(call.world, { parent, properties, by: call.caller.clientId, children }, call.now);
  return { json: buildPageResource(call, page) };
}

function getPage(call: Call): Reply {
  return { json: buildPageResource(call, getSharedPage(call, getPathId(call, 'page_id'))) };
}

const changedPage = z.strictObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  in_trash: z.boolean().optional(),
  archived: z.boolean().optional(),
});

function updatePage(call: Call): Reply {
  const page = getSharedPage(call, getPathId(call, 'page_id'));
  const { properties, in_trash: trash, archived } = parseJsonBody(call, changedPage);
  const wanted = trash ?? archived;
  if (page.inTrash && wanted !== false) {
    throw createValidationError("Can't edit block that is archived. You must unarchive the block before editing.");
  }
  const read = readProperties(getSchema(call.world, page.parent), properties ?? {});
  Object.assign(page.properties, read);
  Object.assign(page, { inTrash: wanted ?? page.inTrash, editedTime: stamp(call.now), editedBy: call.caller.clientId });
  const block = call.world.data.blocks.find(({ id }) => id === page.id);
  if (block) block.inTrash = page.inTrash;
  return { json: buildPageResource(call, page) };
}

/** A block or page by its id, with the page that contains it. */
function blockPlace(call: Call, id: string): { block: Block | undefined; page: Page } {
  const own = call.world.data.pages.get(id);
  const block = call.world.data.blocks.find((item) => item.id === id);
  if (own) return { block, page: getSharedPage(call, id) };
  const existing = requireFound('block', id, block);
  const page = call.world.data.pages.get(existing.pageId);
  const shared = page && isShared(call.world, { type: 'page_id', id: page.id });
  return { block: existing, page: requireFound('block', id, shared ? page : undefined) };
}

function listBlocks(call: Call): Reply {
  const id = getPathId(call, 'block_id');
  blockPlace(call, id);
  const rows = call.world.data.blocks.filter((block) => block.parentId === id && !block.inTrash);
  return listReply(rows, parsePageQuery(call, 'block'), (block) => blockResource(call, block));
}

const appended = z.strictObject({ children: z.array(z.unknown()), after: z.string().optional() });

function appendBlocks(call: Call): Reply {
  const id = getPathId(call, 'block_id');
  const { page } = blockPlace(call, id);
  if (page.inTrash)
    throw createValidationError("Can't edit block that is archived. You must unarchive the block before editing.");
  const body = parseJsonBody(call, appended);
  const after = body.after === undefined ? undefined : parseNotionId(body.after, 'body.after');
  if (after && !call.world.data.blocks.some((block) => block.id === after && block.parentId === id)) {
    throw createValidationError('The block after which to append does not exist.');
  }
  const blocks = readBlocks(body.children, 'body.children');
  const place = { parentId: id, pageId: page.id, by: call.caller.clientId, at: call.now, ...(after ? { after } : {}) };
  return listReply(insertBlocks(call.world, place, blocks), { type: 'block' }, (block) => blockResource(call, block));
}

function requireBlock(call: Call): Block {
  const id = getPathId(call, 'block_id');
  return requireFound('block', id, blockPlace(call, id).block);
}

function updateBlock(call: Call): Reply {
  const block = requireBlock(call);
  const body = parseJsonBody(call, z.record(z.string(), z.unknown()));
  const { in_trash: trash, archived, type: _type, ...rest } = body;
  const unknown = Object.keys(rest).find((name) => name !== block.type);
  if (unknown) throw createValidationError(`body failed validation: body.${unknown} should be not present.`);
  if (rest[block.type]) Object.assign(block.content, readBlockContent(block.type, rest[block.type], 'body'));
  if ((trash ?? archived) !== undefined) block.inTrash = (trash ?? archived) === true;
  touch(call, block);
  return { json: blockResource(call, block) };
}

function touch(call: Call, block: Block): void {
  block.editedTime = stamp(call.now);
  const page = call.world.data.pages.get(block.pageId);
  if (page) Object.assign(page, { editedTime: stamp(call.now), editedBy: call.caller.clientId });
}

function deleteBlock(call: Call): Reply {
  const block = requireBlock(call);
  block.inTrash = true;
  const page = call.world.data.pages.get(block.id);
  if (page) page.inTrash = true;
  touch(call, block);
  return { json: blockResource(call, block) };
}

function listComments(call: Call): Reply {
  const id = parseNotionId(getTextParameter(call, 'block_id') ?? '', 'query failed validation: query.block_id');
  blockPlace(call, id);
  const rows = call.world.data.comments.filter(({ pageId, blockId }) => (blockId ?? pageId) === id);
  return listReply(rows, parsePageQuery(call, 'comment'), buildNotionComment);
}

const newComment = z.union([
  z.strictObject({
    parent: z.union([
      z.strictObject({ type: z.literal('page_id').optional(), page_id: z.string() }),
      z.strictObject({ type: z.literal('block_id').optional(), block_id: z.string() }),
    ]),
    rich_text: richText,
  }),
  z.strictObject({ discussion_id: z.string(), rich_text: richText }),
]);

function createComment(call: Call): Reply {
  const body = parseJsonBody(call, newComment);
  const { comments } = call.world.data;
  const shared = {
    richText: readRichText(body.rich_text),
    createdBy: call.caller.clientId,
    createdTime: stamp(call.now),
  };
  if (shared.richText.length === 0)
    throw createValidationError('body failed validation: body.rich_text.length should be ≥ 1.');
  if ('discussion_id' in body) {
    const id = parseNotionId(body.discussion_id, 'body.discussion_id');
    const first = requireFound(
      'discussion',
      id,
      comments.find((comment) => comment.discussionId === id),
    );
    getSharedPage(call, first.pageId);
    const { pageId, blockId } = first;
    comments.push({ id: randomUUID(), pageId, discussionId: id, ...shared, ...(blockId ? { blockId } : {}) });
  } else {
    const given = 'page_id' in body.parent ? body.parent.page_id : body.parent.block_id;
    const id = parseNotionId(given, 'body.parent');
    const page = 'page_id' in body.parent ? getSharedPage(call, id) : blockPlace(call, id).page;
    const made = { id: randomUUID(), pageId: page.id, discussionId: randomUUID(), ...shared };
    comments.push('page_id' in body.parent ? made : { ...made, blockId: id });
  }
  const made = comments.at(-1);
  return { json: made && buildNotionComment(made) };
}

/** All routes; paths follow the reference. */
export const notionRoutes: Route[] = [
  { method: 'GET', path: '/v1/users/me', handle: getMe },
  { method: 'GET', path: '/v1/users', query: pageQuery, handle: listUsers },
  { method: 'GET', path: '/v1/users/:user_id', handle: getUser },
  { method: 'POST', path: '/v1/search', handle: search },
  {
    method: 'GET',
    path: '/v1/databases/:id',
    handle: (call) => ({ json: buildDatabaseResource(call, getSharedDatabase(call, getPathId(call, 'id'), 'id')) }),
  },
  {
    method: 'POST',
    path: '/v1/databases/:id/query',
    version: '2022-06-28',
    handle: (call) => queryPages(call, getSharedDatabase(call, getPathId(call, 'id'), 'id')),
  },
  {
    method: 'GET',
    path: '/v1/data_sources/:id',
    version: '2025-09-03',
    handle: (call) => ({
      json: buildDataSourceResource(call, getSharedDatabase(call, getPathId(call, 'id'), 'dataSourceId')),
    }),
  },
  {
    method: 'POST',
    path: '/v1/data_sources/:id/query',
    version: '2025-09-03',
    handle: (call) => queryPages(call, getSharedDatabase(call, getPathId(call, 'id'), 'dataSourceId')),
  },
  { method: 'POST', path: '/v1/pages', handle: createPage },
  { method: 'GET', path: '/v1/pages/:page_id', handle: getPage },
  { method: 'PATCH', path: '/v1/pages/:page_id', handle: updatePage },
  {
    method: 'GET',
    path: '/v1/blocks/:block_id',
    handle: (call) => ({ json: blockResource(call, requireBlock(call)) }),
  },
  { method: 'PATCH', path: '/v1/blocks/:block_id', handle: updateBlock },
  { method: 'DELETE', path: '/v1/blocks/:block_id', handle: deleteBlock },
  { method: 'GET', path: '/v1/blocks/:block_id/children', query: pageQuery, handle: listBlocks },
  { method: 'PATCH', path: '/v1/blocks/:block_id/children', handle: appendBlocks },
  {
    method: 'GET',
    path: '/v1/comments',
    query: { ...pageQuery, block_id: { type: 'string', required: true } },
    handle: listComments,
  },
  { method: 'POST', path: '/v1/comments', handle: createComment },
];
