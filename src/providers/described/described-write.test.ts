import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress, type Egress } from '#platform/egress';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createProviderClient, type Reach } from '#providers/http';
import { defineDescribedAction, type DescribedWrite } from './described-write.ts';

/** A service on a real port that accepts orders. */
const orders: { id: number; part: string; reference: string }[] = [];
let isCut = false;
let url = '';
const service = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify({ orders }));
  let text = '';
  request.on('data', (piece: Buffer) => (text += piece.toString()));
  request.on('end', () => {
    const order = { id: orders.length + 1, ...(JSON.parse(text) as { part: string; reference: string }) };
    orders.push(order);
    if (isCut) response.destroy();
    else response.end(JSON.stringify(order));
  });
});

let egress: Egress;
let reach: Reach;
beforeAll(async () => {
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`; // a listening TCP server has one
  egress = createEgress({ allow: [url] });
  const credential = { value: 'secret', headers: {}, query: {}, place: 'header' } as const;
  const client = createProviderClient({
    egress,
    tokens: { credential: () => Promise.resolve(credential), accessToken: () => Promise.resolve('secret') },
    clients: { findBaseUrl: () => url, listed: [] } as never, // only these few properties of the client are used
  });
  const link = { workspaceId: 'w', connectionId: 'c', provider: 'shop' };
  reach = { client, link, file: () => Promise.resolve(null), address: () => Promise.resolve(null) };
});
afterAll(async () => {
  await egress.close();
  service.close();
});
beforeEach(() => {
  orders.length = 0;
  isCut = false;
});

const order: DescribedWrite = {
  name: 'order_part',
  summary: 'Order a part.',
  risk: 'write',
  fields: { part: { kind: 'line', label: 'Part' } },
  example: { part: 'bearing' },
  editable: ['part'],
  title: 'Order {{input.part}}',
  target: 'orders',
  endpoint: { method: 'POST', path: '/orders', body: { part: '{{input.part}}', reference: '{{draft.id}}' } },
  result: { order_id: '{{answer.id}}' },
  check: { call: { method: 'GET', path: '/orders' }, items: 'orders', where: { reference: '{{draft.id}}' } },
};
const shop = { source: 'shop', api: { baseUrl: 'https://shop.example' } };
const input = { part: 'bearing' };
const attempt = { draftId: '01890000-0000-7000-8000-000000000001', isRetry: false };

test('a write that is data is sent, and returns the described result', async () => {
  const action = defineDescribedAction(shop, order);
  expect(action.preview(input)).toMatchObject({ title: 'Order bearing', fields: [{ label: 'Part', text: 'bearing' }] });
  const handle = await action.prepare(reach, input, attempt);
  expect(await action.send(reach, input, handle)).toEqual({ order_id: 1 });
  expect(orders).toMatchObject([{ part: 'bearing', reference: attempt.draftId }]);
});

test('a write that was cut off is found by its check, and one that is not in the list stays ambiguous', async () => {
  const action = defineDescribedAction(shop, order);
  const handle = await action.prepare(reach, input, attempt);
  expect(await action.lookup(reach, input, handle)).toMatchObject({ state: 'ambiguous' });
  isCut = true;
  await expect(action.send(reach, input, handle)).rejects.toMatchObject({ delivery: 'maybe_sent' });
  expect(await action.lookup(reach, input, handle)).toMatchObject({ state: 'confirmed' });
});

test('an item that the list had before sending proves nothing', async () => {
  orders.push({ id: 1, part: 'bearing', reference: attempt.draftId });
  const action = defineDescribedAction(shop, order);
  const handle = await action.prepare(reach, input, attempt);
  expect(await action.lookup(reach, input, handle)).toMatchObject({
    state: 'ambiguous',
    reason: expect.stringContaining('had it already'),
  });
});

test('a description with a misspelt placeholder, or a field of another form, is refused', () => {
  const misspelt = { ...order, title: 'Order {{input.prt}}' };
  expect(() => defineDescribedAction(shop, misspelt)).toThrow('The descriptor shop order_part is wrong.');
  const unknown = { ...order, fields: { part: { kind: 'colour', label: 'Part' } } } as unknown as DescribedWrite;
  expect(() => defineDescribedAction(shop, unknown)).toThrow('fields');
});
