// Everything Notion's emulator remembers, and the seeds.
import { randomUUID } from 'node:crypto';
import { createOAuthData } from '../kit/oauth/store.ts';
import type { OAuthData } from '../kit/oauth/store.ts';
import type { World } from '../kit/wire.ts';
import { createEmptyProperties, toRichText } from './content.ts';
import type { BlockType, NewBlock, Property, RichText, Schema } from './content.ts';

/** A person of the workspace. */
export type User = { id: string; name: string; email: string };

/** Where something lies. */
export type Parent = { type: 'workspace' } | { type: 'page_id' | 'data_source_id' | 'block_id'; id: string };

/** A page. `hidden` pages are not shared with integrations, and nothing below them is. */
export type Page = {
  id: string;
  parent: Parent;
  properties: Record<string, Property>;
  createdBy: string;
  createdTime: string;
  editedTime: string;
  editedBy: string;
  inTrash: boolean;
  hidden: boolean;
  /** Search does not find it, as it need not. */
  isUnindexed: boolean;
};

/** A database with its one data source. */
export type Database = {
  id: string;
  dataSourceId: string;
  title: string;
  parent: Parent;
  schema: Schema;
  createdTime: string;
  editedTime: string;
  inTrash: boolean;
  hidden: boolean;
};

/** A block; a page's own blocks have the page as their parent. */
export type Block = {
  id: string;
  parentId: string;
  pageId: string;
  type: BlockType;
  content: Record<string, unknown>;
  createdTime: string;
  editedTime: string;
  createdBy: string;
  inTrash: boolean;
};

/** A remark in a discussion of a page or block. */
export type Comment = {
  id: string;
  pageId: string;
  blockId?: string;
  discussionId: string;
  richText: RichText;
  createdBy: string;
  createdTime: string;
};

/** All state that requests change. Blocks stand in the order they are shown in. */
export type NotionData = {
  oauth: OAuthData;
  users: Map<string, User>;
  pages: Map<string, Page>;
  databases: Map<string, Database>;
  blocks: Block[];
  comments: Comment[];
  /** Secrets of internal integrations, with the client that stands for each. */
  secrets: Map<string, string>;
};

/** The state and the settings. */
export type NotionWorld = World<NotionData> & {
  workspace: { id: string; name: string };
  searchLagSeconds: number;
};

/** An empty workspace. */
export function createWorld(settings: { now: () => Date; searchLagSeconds: number }): NotionWorld {
  const data: NotionData = {
    oauth: createOAuthData(),
    users: new Map(),
    pages: new Map(),
    databases: new Map(),
    blocks: [],
    comments: [],
    secrets: new Map(),
  };
  return { url: '', ...settings, data, workspace: { id: randomUUID(), name: 'Thalamus Test' } };
}

/** Notion rounds its times down to the minute. */
export function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 16)}:00.000Z`;
}

/** A person who has to exist, by id, email or name. */
export function getNotionUser(world: NotionWorld, who: string): User {
  const found =
    world.data.users.get(who) ??
    [...world.data.users.values()].find(({ name, email }) => name === who || email === who);
  if (!found) throw new Error(`There is no user ${who}`);
  return found;
}

/** What a new page is made of. */
export type NewPage = { parent: Parent; properties: Record<string, Property>; by: string; children?: NewBlock[] };

/** The schema of pages at a place: outside data sources a page has a title only. */
export function getSchema(world: NotionWorld, parent: Parent): Schema {
  if (parent.type !== 'data_source_id') return { title: 'title' };
  return [...world.data.databases.values()].find(({ dataSourceId }) => dataSourceId === parent.id)?.schema ?? {};
}

/** Makes a page with its blocks; inside a page it is a block, too. */
export function insertPage(world: NotionWorld, { parent, properties, by, children = [] }: NewPage, at: Date): Page {
  const time = stamp(at);
  const page: Page = {
    id: randomUUID(),
    parent,
    properties: { ...createEmptyProperties(getSchema(world, parent)), ...properties },
    createdBy: by,
    createdTime: time,
    editedTime: time,
    editedBy: by,
    inTrash: false,
    hidden: false,
    isUnindexed: false,
  };
  world.data.pages.set(page.id, page);
  if (parent.type === 'page_id') {
    world.data.blocks.push({
      id: page.id,
      parentId: parent.id,
      pageId: parent.id,
      type: 'child_page',
      content: {},
      createdTime: time,
      editedTime: time,
      createdBy: by,
      inTrash: false,
    });
  }
  insertBlocks(world, { parentId: page.id, pageId: page.id, by, at }, children);
  return page;
}

/** Adds blocks below a parent, at its end or behind a sibling; returns the top ones. */
export function insertBlocks(
  world: NotionWorld,
  place: { parentId: string; pageId: string; by: string; at: Date; after?: string },
  blocks: NewBlock[],
): Block[] {
  const time = stamp(place.at);
  const made = blocks.map((block): [NewBlock, Block] => [
    block,
    {
      id: randomUUID(),
      parentId: place.parentId,
      pageId: place.pageId,
      type: block.type,
      content: block.content,
      createdTime: time,
      editedTime: time,
      createdBy: place.by,
      inTrash: false,
    },
  ]);
  const top = made.map(([, block]) => block);
  const behind = world.data.blocks.findIndex(({ id }) => id === place.after);
  if (behind < 0) world.data.blocks.push(...top);
  else world.data.blocks.splice(behind + 1, 0, ...top);
  for (const [source, block] of made) {
    const { after: _after, ...below } = { ...place, parentId: block.id };
    insertBlocks(world, below, source.children);
  }
  const page = world.data.pages.get(place.pageId);
  if (page) Object.assign(page, { editedTime: time, editedBy: place.by });
  return top;
}

/** A paragraph, for seeds. */
export function createParagraph(text: string): NewBlock {
  return { type: 'paragraph', content: { rich_text: toRichText(text), color: 'default' }, children: [] };
}

/** Whether a place is shared with integrations, all the way up. */
export function isShared(world: NotionWorld, parent: Parent): boolean {
  if (parent.type === 'workspace') return true;
  const { pages, databases, blocks } = world.data;
  if (parent.type === 'data_source_id') {
    const database = [...databases.values()].find(({ dataSourceId }) => dataSourceId === parent.id);
    return database !== undefined && !database.hidden && isShared(world, database.parent);
  }
  const id = parent.type === 'block_id' ? (blocks.find((block) => block.id === parent.id)?.pageId ?? '') : parent.id;
  const page = pages.get(id);
  return page !== undefined && !page.hidden && isShared(world, page.parent);
}

/** Whether something that a place lies in is in the trash. */
export function isBelowTrash(world: NotionWorld, parent: Parent): boolean {
  if (parent.type === 'workspace') return false;
  const { pages, databases, blocks } = world.data;
  if (parent.type === 'data_source_id') {
    const database = [...databases.values()].find(({ dataSourceId }) => dataSourceId === parent.id);
    return database !== undefined && (database.inTrash || isBelowTrash(world, database.parent));
  }
  const id = parent.type === 'block_id' ? (blocks.find((block) => block.id === parent.id)?.pageId ?? '') : parent.id;
  const page = pages.get(id);
  return page !== undefined && (page.inTrash || isBelowTrash(world, page.parent));
}
