// Everything monday's emulator remembers, and the seeds.
import { GraphQLError } from 'graphql';
import { createOAuthData } from '../kit/oauth/store.ts';
import type { OAuthData } from '../kit/oauth/store.ts';
import type { World } from '../kit/wire.ts';

/** A person. */
export type User = { id: string; name: string; email: string; admin: boolean };

/** A type of column; `labels` are those of a status. */
export type Column = {
  id: string;
  title: string;
  type: 'text' | 'long_text' | 'status' | 'date' | 'numbers';
  labels: string[];
};

/** A board; a private one is seen by its members only. */
export type Board = {
  id: string;
  name: string;
  description: string;
  kind: 'public' | 'private';
  state: 'active' | 'archived' | 'deleted';
  memberIds: string[];
  columns: Column[];
  groups: { id: string; title: string }[];
  updatedAt: string;
};

/** An item; `values` are texts by column id. */
export type Item = {
  id: string;
  boardId: string;
  groupId: string;
  name: string;
  state: 'active' | 'archived' | 'deleted';
  creatorId: string;
  values: Record<string, string>;
  createdAt: string;
  updatedAt: string;
};

/** A post below an item. */
export type Update = { id: string; itemId: string; body: string; creatorId: string; createdAt: string };

/** All state that requests change. */
export type MondayData = {
  oauth: OAuthData;
  users: Map<string, User>;
  boards: Map<string, Board>;
  items: Map<string, Item>;
  updates: Map<string, Update>;
  personalTokens: Map<string, string>;
  lastId: number;
};

/** The state and the settings. */
export type MondayWorld = World<MondayData> & { cursorSeconds: number };

/** An empty account. */
export function createWorld(settings: { now: () => Date; cursorSeconds: number }): MondayWorld {
  const data: MondayData = {
    oauth: createOAuthData(),
    users: new Map(),
    boards: new Map(),
    items: new Map(),
    updates: new Map(),
    personalTokens: new Map(),
    lastId: 1_000_000_000,
  };
  return { url: '', ...settings, data };
}

/** monday's times have no fractions of a second. */
export function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The next id. */
export function createMondayId(world: MondayWorld): string {
  world.data.lastId += 1;
  return String(world.data.lastId);
}

/** A person who has to exist, by id, name or email. */
export function getMondayUser(world: MondayWorld, who: string): User {
  const found =
    world.data.users.get(who) ??
    [...world.data.users.values()].find(({ name, email }) => name === who || email === who);
  if (!found) throw new Error(`There is no user ${who}`);
  return found;
}

/** An error inside a running document, with monday's code and its own status in the extensions. */
export function createFieldError(
  code: string,
  message: string,
  status = 200,
  data: Record<string, unknown> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, error_data: data, status_code: status } });
}

function checkColumnText(column: Column, value: unknown, mayAdd: boolean): string {
  const createColumnError = (why: string) =>
    createFieldError('ColumnValueException', `invalid value - ${why}`, 200, {
      column_id: column.id,
      column_type: column.type,
    });
  if (value === null || value === '') return '';
  const object = typeof value === 'object' ? (value as Record<string, unknown>) : {};
  if (column.type === 'status') {
    const label = typeof value === 'string' ? value : object.label;
    if (typeof label !== 'string') throw createColumnError('a status takes a label');
    if (!column.labels.includes(label)) {
      if (!mayAdd)
        throw createColumnError(`This status label doesn't exist, possible statuses are: ${column.labels.join(', ')}`);
      column.labels.push(label);
    }
    return label;
  }
  if (column.type === 'date') {
    const date = typeof value === 'string' ? value : object.date;
    if (typeof date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(date)) throw createColumnError('a date is YYYY-MM-DD');
    return typeof object.time === 'string' ? `${date} ${object.time.slice(0, 5)}` : date;
  }
  const text = column.type === 'long_text' && typeof object.text === 'string' ? object.text : value;
  if (typeof text !== 'string' && typeof text !== 'number') throw createColumnError('a text was expected');
  if (column.type === 'numbers' && Number.isNaN(Number(text))) throw createColumnError('a number was expected');
  return String(text);
}

/** Reads `column_values`, which is JSON inside a string; all or nothing. */
export function readValues(board: Board, source: unknown, mayAdd: boolean): Record<string, string> {
  let given: unknown = source;
  try {
    if (typeof source === 'string') given = JSON.parse(source);
  } catch (cause) {
    throw Object.assign(createFieldError('ParseException', 'column_values is not valid JSON'), { cause });
  }
  const read = Object.entries((given ?? {}) as Record<string, unknown>).map(([id, value]): [string, string] => {
    const column = board.columns.find((item) => item.id === id);
    if (!column)
      throw createFieldError('InvalidColumnIdException', `This column ID doesn't exist for the board`, 200, {
        column_id: id,
      });
    return [id, checkColumnText(column, value, mayAdd)];
  });
  return Object.fromEntries(read);
}

/** What a new item is made of. */
export type NewItem = {
  name: string;
  creatorId: string;
  groupId?: string | undefined;
  values?: Record<string, string>;
};

/** Adds an item to a board. */
export function insertItem(world: MondayWorld, board: Board, input: NewItem, at: string): Item {
  const item: Item = {
    id: createMondayId(world),
    boardId: board.id,
    groupId: input.groupId ?? board.groups[0]?.id ?? '',
    name: input.name,
    state: 'active',
    creatorId: input.creatorId,
    values: input.values ?? {},
    createdAt: at,
    updatedAt: at,
  };
  world.data.items.set(item.id, item);
  board.updatedAt = at;
  return item;
}

/** Adds a post below an item. */
export function insertUpdate(world: MondayWorld, item: Item, creatorId: string, body: string, at: string): Update {
  const update = { id: createMondayId(world), itemId: item.id, body, creatorId, createdAt: at };
  world.data.updates.set(update.id, update);
  item.updatedAt = at;
  return update;
}
