// Queries and mutations: resolvers as functions on plain objects.
import { createFieldError, insertItem, insertUpdate, readValues, stamp } from './state.ts';
import type { Board, Column, Item, MondayWorld, Update, User } from './state.ts';

/** Who asks. */
export type Caller = { user: User; scopes: readonly string[] };

/** What resolvers work on; `complexity` is what the answer says about its own cost. */
export type Context = { world: MondayWorld; caller: Caller; complexity: Record<string, number> };

type Paging = { limit?: number; page?: number; ids?: string[] };
type Query = {
  rules?: { column_id: string; compare_value: unknown; operator?: string }[];
  order_by?: { column_id: string; direction?: string }[];
  ids?: string[];
};

function requireScope({ caller }: Context, scope: string): void {
  if (!caller.scopes.includes(scope))
    throw createFieldError('UserUnauthorizedException', 'User unauthorized to perform action', 403);
}

function cut<T>(rows: T[], { limit = 25, page = 1 }: Paging): T[] {
  return rows.slice((page - 1) * limit, page * limit);
}

function canSeeBoard({ caller }: Context, board: Board | undefined): board is Board {
  return board !== undefined && (board.kind === 'public' || board.memberIds.includes(caller.user.id));
}

const account = { id: '1', name: 'Thalamus Test', slug: 'thalamus-test' };

function buildUserNode({ id, name, email, admin }: User) {
  return {
    id,
    name,
    email,
    enabled: true,
    is_admin: admin,
    url: `https://thalamus-test.monday.com/users/${id}`,
    account,
  };
}

const typeNames: Record<Column['type'], string> = {
  text: 'TextValue',
  long_text: 'LongTextValue',
  status: 'StatusValue',
  date: 'DateValue',
  numbers: 'NumbersValue',
};

function buildColumnNode({ id, title, type, labels }: Column) {
  const settings =
    type === 'status' ? { labels: Object.fromEntries(labels.map((label, index) => [index, label])) } : {};
  return { id, title, type, archived: false, settings_str: JSON.stringify(settings) };
}

/** `value` is JSON inside a string, `text` what people read. */
function buildValueNode(column: Column, text: string) {
  const [date = null, time = null] = text === '' ? [] : text.split(' ');
  const json: Record<Column['type'], unknown> = {
    text,
    long_text: { text },
    status: { index: column.labels.indexOf(text) },
    date: { date, time },
    numbers: text,
  };
  return {
    __typename: typeNames[column.type],
    id: column.id,
    type: column.type,
    text,
    value: text === '' ? null : JSON.stringify(json[column.type]),
    column: buildColumnNode(column),
    label: text || null,
    date,
    time,
    number: text === '' ? null : Number(text),
  };
}

function buildItemNode(context: Context, item: Item): Record<string, unknown> {
  const { data } = context.world;
  const board = data.boards.get(item.boardId);
  const creator = data.users.get(item.creatorId);
  return {
    id: item.id,
    name: item.name,
    state: item.state,
    url: `https://thalamus-test.monday.com/boards/${item.boardId}/pulses/${item.id}`,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    creator: creator && buildUserNode(creator),
    board: () => board && buildBoardNode(context, board),
    group: board?.groups.find(({ id }) => id === item.groupId),
    column_values: ({ ids }: { ids?: string[] }) =>
      (board?.columns ?? [])
        .filter(({ id }) => !ids || ids.includes(id))
        .map((column) => buildValueNode(column, item.values[column.id] ?? '')),
    updates(paging: Paging) {
      requireScope(context, 'updates:read');
      const own = [...data.updates.values()].filter(({ itemId }) => itemId === item.id).toReversed();
      return cut(own, paging).map((update) => updateNode(context, update));
    },
  };
}

function updateNode(context: Context, update: Update): Record<string, unknown> {
  const { data } = context.world;
  const creator = data.users.get(update.creatorId);
  const item = data.items.get(update.itemId);
  return {
    id: update.id,
    body: update.body,
    text_body: update.body.replaceAll(/<[^>]*>/g, ''),
    created_at: update.createdAt,
    updated_at: update.createdAt,
    creator: creator && buildUserNode(creator),
    creator_id: update.creatorId,
    item_id: update.itemId,
    item: () => item && buildItemNode(context, item),
  };
}

function isRuleMatch(
  item: Item,
  { column_id: id, compare_value: wanted, operator = 'any_of' }: NonNullable<Query['rules']>[number],
): boolean {
  const values = [wanted].flat().map(String);
  if (id === '__last_updated__') {
    const day = values.find((value) => /^\d{4}-\d\d-\d\d/.test(value))?.slice(0, 10);
    if (!day) throw createFieldError('InvalidArgumentException', 'A date YYYY-MM-DD was expected');
    const own = item.updatedAt.slice(0, 10);
    return operator === 'lower_than_or_equal'
      ? own <= day
      : operator === 'greater_than_or_equals'
        ? own >= day
        : own === day;
  }
  const own = id === 'name' ? item.name : (item.values[id] ?? '');
  if (operator === 'contains_text') return values.some((value) => own.toLowerCase().includes(value.toLowerCase()));
  if (operator === 'any_of') return values.includes(own);
  return operator === 'greater_than_or_equals' ? Number(own) >= Number(values[0]) : Number(own) <= Number(values[0]);
}

function getOrderKey(item: Item, id: string): string {
  if (id === '__last_updated__') return item.updatedAt;
  if (id === '__creation_log__') return item.createdAt;
  return id === 'name' ? item.name : (item.values[id] ?? '');
}

function selectItems(context: Context, board: Board, query: Query): Item[] {
  const rows = [...context.world.data.items.values()].filter(
    (item) =>
      item.boardId === board.id &&
      item.state === 'active' &&
      (!query.ids || query.ids.includes(item.id)) &&
      (query.rules ?? []).every((rule) => isRuleMatch(item, rule)),
  );
  const order = query.order_by?.[0];
  if (!order) return rows;
  const sign = order.direction === 'desc' ? -1 : 1;
  return rows.toSorted(
    (one, other) => sign * getOrderKey(one, order.column_id).localeCompare(getOrderKey(other, order.column_id)),
  );
}

type Cursor = { board: string; query: Query; from: number; until: number };

function readCursor(context: Context, cursor: string): Cursor {
  let read: Cursor;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Cursor;
  } catch (cause) {
    throw Object.assign(createFieldError('CursorException', 'The cursor is not valid'), { cause });
  }
  if (read.until <= context.world.now().getTime()) {
    throw createFieldError(
      'CursorExpiredError',
      'The cursor provided for pagination has expired. Please refresh your query and obtain a new cursor',
    );
  }
  return read;
}

function buildItemsPage(context: Context, start: Cursor, limit: number) {
  const board = context.world.data.boards.get(start.board);
  if (limit < 1 || limit > 500) throw createFieldError('InvalidArgumentException', 'limit must be between 1 and 500');
  if (!canSeeBoard(context, board)) throw createFieldError('ResourceNotFoundException', 'Board not found', 404);
  const rows = selectItems(context, board, start.query);
  const from = start.from + limit;
  const next = Buffer.from(JSON.stringify({ ...start, from })).toString('base64url');
  return {
    cursor: from < rows.length ? next : null,
    items: rows.slice(start.from, from).map((item) => buildItemNode(context, item)),
  };
}

function buildBoardNode(context: Context, board: Board): Record<string, unknown> {
  const { world } = context;
  return {
    id: board.id,
    name: board.name,
    description: board.description,
    state: board.state,
    type: 'board',
    board_kind: board.kind,
    url: `https://thalamus-test.monday.com/boards/${board.id}`,
    updated_at: board.updatedAt,
    columns: ({ ids }: { ids?: string[] }) =>
      board.columns.filter(({ id }) => !ids || ids.includes(id)).map(buildColumnNode),
    groups: board.groups,
    items_count: () => selectItems(context, board, {}).length,
    items_page({ limit, cursor, query_params: query }: { limit: number; cursor?: string; query_params?: Query }) {
      if (cursor && query)
        throw createFieldError('InvalidArgumentException', "You can't use query_params and cursor in the same request");
      const until = world.now().getTime() + world.cursorSeconds * 1000;
      return buildItemsPage(
        context,
        cursor ? readCursor(context, cursor) : { board: board.id, query: query ?? {}, from: 0, until },
        limit,
      );
    },
  };
}

/** The fields of Query. */
export function queryRoot(context: Context) {
  const { data } = context.world;
  const items = (wanted: (item: Item) => boolean) =>
    [...data.items.values()].filter(
      (item) => canSeeBoard(context, data.boards.get(item.boardId)) && item.state !== 'deleted' && wanted(item),
    );
  return {
    complexity: context.complexity,
    me() {
      requireScope(context, 'me:read');
      return buildUserNode(context.caller.user);
    },
    account() {
      requireScope(context, 'account:read');
      return account;
    },
    users({ ids, ...paging }: Paging) {
      requireScope(context, 'users:read');
      return cut(
        [...data.users.values()].filter(({ id }) => !ids || ids.includes(id)),
        paging,
      ).map(buildUserNode);
    },
    boards({ ids, state = 'active', board_kind: kind, ...paging }: Paging & { state?: string; board_kind?: string }) {
      requireScope(context, 'boards:read');
      const rows = [...data.boards.values()].filter(
        (board) =>
          canSeeBoard(context, board) &&
          (!ids || ids.includes(board.id)) &&
          (state === 'all' || board.state === state) &&
          (!kind || board.kind === kind),
      );
      return cut(rows, paging).map((board) => buildBoardNode(context, board));
    },
    items({ ids, exclude_nonactive: active, ...paging }: Paging & { exclude_nonactive?: boolean }) {
      requireScope(context, 'boards:read');
      if (!ids || ids.length > 100)
        throw createFieldError('InvalidArgumentException', 'ids is required, with at most 100');
      return cut(
        items((item) => ids.includes(item.id) && (!active || item.state === 'active')),
        paging,
      ).map((item) => buildItemNode(context, item));
    },
    next_items_page({ cursor, limit }: { cursor: string; limit: number }) {
      requireScope(context, 'boards:read');
      return buildItemsPage(context, readCursor(context, cursor), limit);
    },
    updates({ ids, ...paging }: Paging) {
      requireScope(context, 'updates:read');
      const seen = new Set(items(() => true).map(({ id }) => id));
      const rows = [...data.updates.values()].filter(
        ({ id, itemId }) => seen.has(itemId) && (!ids || ids.includes(id)),
      );
      return cut(rows.toReversed(), paging).map((update) => updateNode(context, update));
    },
  };
}

type ItemChange = { board_id: string; item_id?: string; column_values?: unknown; create_labels_if_missing?: boolean };

/** The fields of Mutation. Nothing here is idempotent: twice is two. */
export function createMondayMutations(context: Context) {
  const { world, caller } = context;
  const { data } = world;
  const at = stamp(world.now());
  const board = (id: string): Board => {
    const found = data.boards.get(id);
    if (!canSeeBoard(context, found))
      throw createFieldError('InvalidBoardIdException', 'The board does not exist', 200, { board_id: id });
    return found;
  };
  const item = (id: string | undefined): Item => {
    const found = data.items.get(id ?? '');
    if (!found || found.state === 'deleted' || !canSeeBoard(context, data.boards.get(found.boardId))) {
      throw createFieldError('InvalidItemIdException', 'The item does not exist', 200, { item_id: id });
    }
    return found;
  };
  const setState = (id: string | undefined, state: Item['state']) => {
    requireScope(context, 'boards:write');
    const found = item(id);
    Object.assign(found, { state, updatedAt: at });
    return buildItemNode(context, found);
  };
  return {
    create_item({
      board_id: id,
      item_name: name,
      group_id: groupId,
      ...more
    }: ItemChange & { item_name: string; group_id?: string }) {
      requireScope(context, 'boards:write');
      const on = board(id);
      if (name.trim() === '' || name.length > 255)
        throw createFieldError('ItemNameTooLongException', 'The name has 1 to 255 characters');
      if (groupId && !on.groups.some((group) => group.id === groupId))
        throw createFieldError('InvalidGroupIdException', 'The group does not exist');
      const values = readValues(on, more.column_values, more.create_labels_if_missing ?? false);
      return buildItemNode(context, insertItem(world, on, { name, groupId, values, creatorId: caller.user.id }, at));
    },
    change_multiple_column_values({ board_id: id, item_id: itemId, ...more }: ItemChange) {
      requireScope(context, 'boards:write');
      const on = board(id);
      const found = item(itemId);
      if (found.boardId !== on.id) throw createFieldError('InvalidItemIdException', 'The item is not on this board');
      const { name, ...given } = (
        typeof more.column_values === 'string' ? parse(more.column_values) : more.column_values
      ) as Record<string, unknown>;
      const values = readValues(on, given, more.create_labels_if_missing ?? false);
      Object.assign(found.values, values);
      if (typeof name === 'string') found.name = name;
      found.updatedAt = at;
      return buildItemNode(context, found);
    },
    archive_item: ({ item_id: id }: { item_id?: string }) => setState(id, 'archived'),
    delete_item: ({ item_id: id }: { item_id?: string }) => setState(id, 'deleted'),
    create_update({ item_id: id, body }: { item_id?: string; body: string }) {
      requireScope(context, 'updates:write');
      if (body.trim() === '') throw createFieldError('InvalidArgumentException', 'body must not be empty');
      return updateNode(context, insertUpdate(world, item(id), caller.user.id, body, at));
    },
    delete_update({ id }: { id: string }) {
      requireScope(context, 'updates:write');
      const found = data.updates.get(id);
      if (!found || found.creatorId !== caller.user.id)
        throw createFieldError('UserUnauthorizedException', 'User unauthorized to perform action', 403);
      data.updates.delete(id);
      return updateNode(context, found);
    },
  };
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw Object.assign(createFieldError('ParseException', 'column_values is not valid JSON'), { cause });
  }
}
