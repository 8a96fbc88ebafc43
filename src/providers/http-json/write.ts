// A write at any JSON service. The caller that drafts it describes the request, and how its outcome is checked.
import type { Outcome } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { EgressError, isMethodOverride, listReadings, parseAddress } from '#platform/egress';
import { z } from 'zod';
import { createAsk, fill, type ProviderApi, type Reach, readValue } from '#providers/http';
import { defineWrite, createSchemaField } from '#providers/writing';
import { judgeListOutcome } from '#providers/described';

const scalar = z.union([z.string().max(2_000), z.number(), z.boolean()]);
/** An origin for parsing paths. */
const somewhere = 'https://x.example';
const path = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[^\s?#\\]*$/, 'must be a path of the service, such as /v1/items, without a query')
  // The path that is checked and shown is the path that is requested: it contains nothing to resolve (RFC 3986, section
  // 5.2.4).
  .refine(
    (given) => isCanonicalPath(given),
    'must be written exactly as it is sent: without . and .., with special characters escaped, and with no other character escaped',
  );
const fieldName = z
  .string()
  .max(200)
  .refine((name) => !isMethodOverride(name), 'must match the method of the request');
const query = z.record(fieldName, scalar);

function isCanonicalPath(path: string): boolean {
  try {
    return parseAddress(somewhere + path).pathname === path;
  } catch (error) {
    if (error instanceof EgressError) return false;
    throw error;
  }
}

const check = z
  .strictObject({
    path,
    query: query.optional(),
    items: z
      .string()
      .max(500)
      .default('')
      .describe('The path of the list in the answer, with dots; empty: the answer itself.'),
    where: z
      .record(z.string().max(200), scalar)
      .refine((given) => Object.keys(given).length > 0, 'needs a field')
      .describe('Fields that identify the item, with their values.'),
  })
  .describe('A list that contains the result, so that Thalamus can check afterwards whether the request took effect.');

const foreign = 'The service returned a web page instead of JSON, so the outcome is unknown.';

const createMethodFields = <Methods extends z.ZodType>(methods: Methods) => ({
  summary: createSchemaField(
    'Summary',
    z.string().trim().min(1).max(200).describe('What the request does, in words for the person who approves it.'),
    () => '', // shown in the title
  ),
  path: createSchemaField('Request', path, (at, { method }) => `${String(method)} ${at}`),
  query: createSchemaField('Parameters', query.optional()),
  body: createSchemaField('Body', z.record(fieldName, z.json()).optional()),
  check: createSchemaField('Asked afterwards', check.optional()),
  method: createSchemaField('Method', methods, () => ''), // shown in the field of the path
});

type Input = { readonly summary: string; readonly path: string; readonly method: string };
type RequestInput = Input & {
  readonly query?: z.output<typeof query> | undefined;
  readonly body?: Record<string, unknown> | undefined;
};
type CheckedRequest = { readonly check?: z.output<typeof check> | undefined };
type Service = { origin: string };

/** The common parts of both writes. They go to the address of the account. */
const common = {
  editable: ['body', 'query'],
  handle: 'none', // without `check` the outcome stays unknown
  title: ({ summary, method, path: at }: Input) => `${method} ${at}: ${summary}`,
  target: ({ method, path: at }: Input) => `${method} ${at}`,
  readings: ({ method, path: at }: Input) =>
    listReadings(parseAddress(somewhere + at)).map((reading) => `${method} ${reading.slice(reading.indexOf('/'))}`),

  resolve: async ({ reach }: ProviderApi) => ({ origin: await findOrigin(reach) }),
  prepare: async ({ reach }: ProviderApi, { check: sought }: CheckedRequest, { origin }: Service) => ({
    was_there: sought ? await isThere(reach, origin, sought) : null,
  }),
  async send({ reach }: ProviderApi, { method, path: at, query: asked, body }: RequestInput, { origin }: Service) {
    const url = new URL(at, origin).href;
    const request = { method: method as 'POST', url, ...(asked && { query: asked }), ...(body && { body }) }; // one of the options of the field
    const { status, headers, body: answer } = await reach.client.send(reach.link, request);
    if (/html/i.test(headers['content-type'] ?? '')) throw new AppError('upstream_failed', foreign);
    return { status, answer: answer.length > 0 ? parseAnswer(answer) : undefined };
  },
  async lookup(
    { reach }: ProviderApi,
    { check: sought }: CheckedRequest,
    { origin, was_there: wasThere }: Service & { was_there: boolean | null },
  ): Promise<Outcome> {
    if (!sought)
      return { state: 'ambiguous', reason: 'It was drafted without `check`, so the service cannot be asked.' };
    const isThereNow = await isThere(reach, origin, sought);
    return judgeListOutcome({ wasThere: wasThere === true, isThere: isThereNow, result: { found: sought.where } });
  },
} as const;

const httpJson = { source: 'http_json', api: { baseUrl: '' } }; // each account has its own address

/** A request that creates or changes something. */
const sendRequest = defineWrite(httpJson, {
  ...common,
  name: 'send_request',
  example: {
    summary: 'Order ten bearings',
    method: 'POST',
    path: '/v1/orders',
    body: { part: 'bearing', count: 10, reference: 'order-7' },
    check: { path: '/v1/orders', items: 'orders', where: { reference: 'order-7' } },
  },
  summary: 'Send a request to a JSON service: POST, PUT or PATCH.',
  risk: 'write',
  fields: createMethodFields(z.enum(['POST', 'PUT', 'PATCH'])),
});

/** A request that deletes something. */
const sendDelete = defineWrite(httpJson, {
  ...common,
  name: 'send_delete',
  example: { summary: 'Cancel order 7', path: '/v1/orders/order-7' },
  summary: 'Delete something at a JSON service.',
  risk: 'destructive',
  fields: createMethodFields(z.literal('DELETE').default('DELETE')),
});

/** The writes at a JSON service. */
export const httpJsonWrites = [sendRequest, sendDelete];

async function findOrigin(reach: Reach): Promise<string> {
  const address = await reach.address();
  if (address === null) throw new AppError('conflict', 'This account has no address. Link it again.');
  return new URL(address).origin;
}

async function isThere(reach: Reach, origin: string, { path: at, query: asked, items, where }: z.output<typeof check>) {
  const url = new URL(at, origin).href;
  const request = fill({ method: 'GET', url, ...(asked && { queryParams: asked }) }, {});
  const { data } = await createAsk(reach.client, reach.link)(request);
  const list = readValue(data, items);
  if (!Array.isArray(list))
    throw new AppError('invalid_input', `check.items: there is no list ${items || 'at the top'}.`);
  const fits = (item: unknown) =>
    Object.entries(where).every(([name, value]) => String(readValue(item, name) ?? '') === String(value));
  return list.some(fits);
}

/** The beginning of the answer, as JSON where it is JSON. */
function parseAnswer(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString('utf8');
  try {
    return text.length <= 20_000 ? (JSON.parse(text) as unknown) : `${text.slice(0, 20_000)}…`;
  } catch {
    return text.slice(0, 2_000);
  }
}
