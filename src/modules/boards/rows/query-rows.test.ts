import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let board_id: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ board_id } = await server.ok('create_board', { name: 'Invoices', datasets: { default: { rows } } }));
});
afterAll(() => server.close());

const rows = [
  { row_id: 'a', customer: 'Ada', amount: 30, day: '2026-01-05', tags: ['late', 'big'], status: 'open' },
  { row_id: 'b', customer: 'Bob', amount: 4.5, day: '2026-02-01', status: 'open' },
  { row_id: 'c', customer: 'ada & sons', amount: '100', day: '2026-03-01T10:00:00Z', status: 'paid' },
  { row_id: 'd', customer: 'Cem', status: null },
  { row_id: 'e', customer: 'Ada', amount: 1, status: 'open', '%"\'': 'odd' },
];
const query = (more: object) => server.ok('query_board_rows', { board_id, ...more });
const listIds = async (more: object) => (await query(more)).rows.map(({ row_id }) => row_id);
const find = (where: object) => listIds({ where });

test('rows are found by the conditions that query has for pages', async () => {
  expect(await find({ customer: 'Ada' })).toEqual(['a', 'e']);
  expect(await find({ customer: { contains: 'ADA' } })).toEqual(['a', 'c', 'e']);
  expect(await find({ amount: { gt: 4, lt: 100.5 } })).toEqual(['a', 'b', 'c']);
  expect(await find({ amount: 100 })).toEqual(['c']);
  expect(await find({ day: { gt: '2026-01-31' } })).toEqual(['b', 'c']);
  expect(await find({ tags: 'late' })).toEqual(['a']);
  expect(await find({ status: null })).toEqual(['d']);
  expect(await find({ status: { in: ['paid', null] } })).toEqual(['c', 'd']);
  expect(await find({ row_id: { in: ['b', 'e'] } })).toEqual(['b', 'e']);
  expect(await find({ '%"\'': 'odd' })).toEqual(['e']);
  expect(await find({ customer: 'Ada', amount: { lt: 2 } })).toEqual(['e']);
  expect(await find({})).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('rows are sorted by several fields, those without a value last, and every page continues the one before', async () => {
  const byCustomer = [{ field: 'status' }, { field: 'amount', order: 'desc' }];
  const whole = await listIds({ sort: byCustomer });
  expect(whole).toEqual(['a', 'b', 'e', 'c', 'd']);
  for (const sort of [
    byCustomer,
    [{ field: 'amount' }],
    [{ field: 'amount', order: 'desc' }],
    [{ field: 'row_id', order: 'desc' }],
    [],
  ])
    for (const limit of [1, 2, 4]) {
      const all = await listIds({ sort });
      const seen: unknown[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await query({ sort, limit, ...(cursor && { cursor }) });
        expect([page.total, page.versions.length]).toEqual([5, page.rows.length]);
        seen.push(...page.rows.map(({ row_id }) => row_id));
        cursor = page.next_cursor;
      } while (cursor);
      expect(seen).toEqual(all);
    }
});

test('a page neither repeats nor leaves out a row because another one came between', async () => {
  const { board_id } = await server.ok('create_board', { name: 'Moving' });
  await server.ok('append_board_rows', { board_id, rows: [2, 4, 6, 8].map((n) => ({ n })) });
  const sort = [{ field: 'n' }];
  const first = await server.ok('query_board_rows', { board_id, sort, limit: 2 });
  await server.ok('append_board_rows', { board_id, rows: [{ n: 1 }, { n: 5 }] });
  const second = await server.ok('query_board_rows', { board_id, sort, limit: 10, cursor: first.next_cursor });
  expect([...first.rows, ...second.rows].map(({ n }) => n)).toEqual([2, 4, 5, 6, 8]);
});

test('a cursor of another query, or a made up one, is refused', async () => {
  const { next_cursor } = await query({ sort: [{ field: 'amount' }], limit: 1 });
  for (const cursor of [next_cursor, 'x', '', Buffer.from('["x",[]]').toString('base64url')]) {
    const { body } = await server.call('query_board_rows', { board_id, cursor });
    expect(body['code'], String(cursor)).toBe('invalid_input');
  }
});

test('groups count, sum and average all rows that fit, whatever page is asked for', async () => {
  const aggregate = { by: ['status'], sum: ['amount'], avg: ['amount'], min: ['day'], max: ['amount', 'customer'] };
  const { groups, rows: page } = await query({ aggregate, limit: 1 });
  expect(page).toHaveLength(1);
  expect(groups).toEqual([
    {
      by: { status: 'open' },
      count: 3,
      sum: { amount: 35.5 },
      avg: { amount: 11.8333333333 },
      min: { day: '2026-01-05' },
      max: { amount: 30, customer: 'Bob' },
    },
    expect.objectContaining({ by: { status: null }, count: 1, sum: { amount: null } }),
    expect.objectContaining({
      by: { status: 'paid' },
      count: 1,
      sum: { amount: 100 },
      max: { amount: 100, customer: 'ada & sons' },
    }),
  ]);
  expect((await query({ aggregate: {}, where: { customer: 'Nobody' } })).groups).toEqual([{ by: {}, count: 0 }]);
  expect((await query({ aggregate: { sum: ['amount'] } })).groups).toEqual([
    { by: {}, count: 5, sum: { amount: 135.5 } },
  ]);
});

test('the limits of a query hold', async () => {
  const code = async (more: object) => (await server.call('query_board_rows', { board_id, ...more })).body['code'];
  expect(await code({ limit: 1_001 })).toBe('invalid_input');
  expect(await code({ sort: [1, 2, 3, 4].map(() => ({ field: 'amount' })) })).toBe('invalid_input');
  expect(await code({ where: { amount: {} } })).toBe('invalid_input');
  expect(await code({ aggregate: { by: ['a', 'b', 'c', 'd'] } })).toBe('invalid_input');
});
