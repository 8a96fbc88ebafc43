// Rows of any service that answers a list as JSON.
import { AppError } from '#kernel/errors';
import type { Json } from '#kernel/page';
import { createDescribedAsk, described, readListPage, type AskEndpoint } from '#providers/described';
import { walkPages, type Answer } from '#providers/http';
import { defineAdapter, defineAdapterOperation, type AdapterReader, type AdapterRow } from '#providers/kit';
import { z } from 'zod';
import { detectShape, findParameter } from './shape.ts';

/** An address. Through an account it may be left out, or lies at the host of the account. */
const ref = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(4_000)
    .optional(),
});

const params = z.strictObject({
  items: described.listing.items
    .optional()
    .describe('The place of the list in the answer, by dots; empty: at its top.'),
  query: described.call.queryParams.describe('Parameters of the address, such as {"page": "{{page}}"}.'),
  paging: described.listing.paging
    .optional()
    .describe('{by: none | link | url | token | page | offset, at?, size?, first?}; what is absent is found.'),
});
type Params = z.output<typeof params>;

async function* listItems(reader: AdapterReader, url: string | undefined, own: Params): AsyncGenerator<AdapterRow[]> {
  const ask = createDescribedAsk({ api: { baseUrl: chooseAddress(reader, url) } }, reader);
  const query = own.query ?? {};
  const isPaged = JSON.stringify(query).includes('{{page}}');
  // A first page: what has no value yet is left out.
  const firstQuery = Object.fromEntries(
    Object.entries(query).filter(([, each]) => !JSON.stringify(each).includes('{{')),
  );
  const first = await ask(buildCall(firstQuery), {});
  const shape = detectShape(first.data, own.items);
  const paging = own.paging ?? shape.paging;
  const parameter = isPaged ? null : findParameter(paging);
  const call = buildCall(parameter === null ? query : { ...query, [parameter]: '{{page}}' });
  const listing = { call, items: shape.items, paging };
  const askRest = answerFirst(ask, first);
  for await (const { items } of walkPages((page) => readListPage(askRest, listing, {}, page)))
    yield items.map(buildRow);
}

/** Asks once for the first page, of which the form was read already. */
function answerFirst(ask: AskEndpoint, first: Answer): AskEndpoint {
  let waiting: Answer | null = first;
  return async (...request) => {
    const answer = waiting ?? (await ask(...request));
    waiting = null;
    return answer;
  };
}

function buildCall(queryParams: NonNullable<Params['query']>) {
  return { method: 'GET' as const, path: '', queryParams };
}

/** The credential of an account goes to no other host than its own. */
function chooseAddress({ address }: AdapterReader, url: string | undefined): string {
  if (url === undefined) {
    if (address === null) throw new AppError('conflict', 'This account has no address. Link it again.');
    return address;
  }
  if (address === null || new URL(address).origin === new URL(url).origin) return url;
  throw new AppError('invalid_input', 'ref.url: is at another host than the linked account. Leave it out.');
}

function buildRow(item: unknown): AdapterRow {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  return (isObject ? item : { value: item }) as Record<string, Json>; // it was read from JSON
}

const list = defineAdapterOperation({
  name: 'http_json.list',
  summary: 'The items of a list, with their fields.',
  ref,
  params,
  read: (reader, { ref: { url }, params: own }) => listItems(reader, url, own),
});

/** An address that answers JSON: as anybody, or with the key of a linked service. */
export const httpJsonAdapter = defineAdapter({
  kind: 'http_json',
  ref,
  hint: 'Such as {"url": "https://api.example.com/items"}; {} with integration_provider.',
  findPublicAddress: ({ url }) => (typeof url === 'string' ? url : null),
  operations: [list],
});
