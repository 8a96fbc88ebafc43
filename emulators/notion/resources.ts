// The JSON of Notion's objects.
import { getPlainTitle } from './content.ts';
import type { Property } from './content.ts';
import type { Block, Comment, Database, NotionWorld, Page, Parent, User } from './state.ts';
import type { Call } from './routing.ts';

/** A parent as it is written. */
function buildParentResource(world: NotionWorld, parent: Parent, version: Call['version']) {
  if (parent.type === 'workspace') return { type: 'workspace', workspace: true };
  if (parent.type !== 'data_source_id') return { type: parent.type, [parent.type]: parent.id };
  const database = [...world.data.databases.values()].find(({ dataSourceId }) => dataSourceId === parent.id);
  if (version === '2022-06-28') return { type: 'database_id', database_id: database?.id };
  return { type: 'data_source_id', data_source_id: parent.id, database_id: database?.id };
}

/** A person, with their address. */
export function buildNotionUser(user: User) {
  return {
    object: 'user',
    id: user.id,
    type: 'person',
    name: user.name,
    avatar_url: null,
    person: { email: user.email },
  };
}

const buildPartialUser = (id: string) => ({ object: 'user', id });

/** People are shown whole, though they are written by their ids. */
function withPeople(world: NotionWorld, properties: Page['properties']): Page['properties'] {
  const shown = (property: Property): Property => {
    if (property.type !== 'people') return property;
    const people = property['people'] as { id: string }[]; // as it was checked when it was written
    const users = people.map(({ id }) => world.data.users.get(id));
    return { ...property, people: users.flatMap((user) => (user ? [buildNotionUser(user)] : [])) };
  };
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, shown(property)]));
}

function buildPageUrl(world: NotionWorld, id: string, title: string): string {
  const slug = title.replaceAll(/\W+/g, '-').slice(0, 60);
  return `${world.url}/${slug ? `${slug}-` : ''}${id.replaceAll('-', '')}`;
}

/** A page. */
export function buildPageResource({ world, version }: Pick<Call, 'world' | 'version'>, page: Page) {
  return {
    object: 'page',
    id: page.id,
    created_time: page.createdTime,
    last_edited_time: page.editedTime,
    created_by: buildPartialUser(page.createdBy),
    last_edited_by: buildPartialUser(page.editedBy),
    cover: null,
    icon: null,
    parent: buildParentResource(world, page.parent, version),
    archived: page.inTrash,
    in_trash: page.inTrash,
    properties: withPeople(world, page.properties),
    url: buildPageUrl(world, page.id, getPlainTitle(page.properties)),
    public_url: null,
  };
}

function buildPropertySchema(database: Database) {
  return Object.fromEntries(
    Object.entries(database.schema).map(([name, type]) => [
      name,
      { id: type === 'title' ? 'title' : encodeURIComponent(name.slice(0, 4)), name, type, [type]: {} },
    ]),
  );
}

/** A database; since 2025-09-03 its properties are its data source's. */
export function buildDatabaseResource({ world, version }: Pick<Call, 'world' | 'version'>, database: Database) {
  return {
    object: 'database',
    id: database.id,
    title: [{ type: 'text', text: { content: database.title, link: null }, plain_text: database.title, href: null }],
    created_time: database.createdTime,
    last_edited_time: database.editedTime,
    parent: buildParentResource(world, database.parent, version),
    archived: database.inTrash,
    in_trash: database.inTrash,
    url: buildPageUrl(world, database.id, database.title),
    ...(version === '2022-06-28'
      ? { properties: buildPropertySchema(database) }
      : { data_sources: [{ id: database.dataSourceId, name: database.title }] }),
  };
}

/** A data source. */
export function buildDataSourceResource(call: Pick<Call, 'world' | 'version'>, database: Database) {
  return {
    object: 'data_source',
    id: database.dataSourceId,
    title: [{ type: 'text', text: { content: database.title, link: null }, plain_text: database.title, href: null }],
    parent: { type: 'database_id', database_id: database.id },
    database_parent: buildParentResource(call.world, database.parent, call.version),
    created_time: database.createdTime,
    last_edited_time: database.editedTime,
    archived: database.inTrash,
    in_trash: database.inTrash,
    properties: buildPropertySchema(database),
    url: buildPageUrl(call.world, database.dataSourceId, database.title),
  };
}

/** A block; of a page in a page it shows the title. */
export function blockResource({ world, version }: Pick<Call, 'world' | 'version'>, block: Block) {
  const page = world.data.pages.get(block.id);
  const onPage = block.parentId === block.pageId;
  const parent: Parent = { type: onPage ? 'page_id' : 'block_id', id: block.parentId };
  return {
    object: 'block',
    id: block.id,
    parent: buildParentResource(world, parent, version),
    created_time: block.createdTime,
    last_edited_time: block.editedTime,
    created_by: buildPartialUser(block.createdBy),
    last_edited_by: buildPartialUser(block.createdBy),
    has_children: world.data.blocks.some((item) => item.parentId === block.id && !item.inTrash),
    archived: block.inTrash,
    in_trash: block.inTrash,
    type: block.type,
    [block.type]: page ? { title: getPlainTitle(page.properties) } : block.content,
  };
}

/** A comment. */
export function buildNotionComment(comment: Comment) {
  return {
    object: 'comment',
    id: comment.id,
    parent: comment.blockId
      ? { type: 'block_id', block_id: comment.blockId }
      : { type: 'page_id', page_id: comment.pageId },
    discussion_id: comment.discussionId,
    created_time: comment.createdTime,
    last_edited_time: comment.createdTime,
    created_by: buildPartialUser(comment.createdBy),
    rich_text: comment.richText,
  };
}
