// A write at any service that speaks JSON, described by whoever drafts it: the request, and how it is told afterwards.
import { defineAction, type Action, type Outcome } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { askThrough } from '../../ask-through.ts';
import { fill } from '../../executor/fill.ts';
import { valueAt } from '../../executor/values.ts';
import { checkOutcome } from '../../writing/described.ts';
import type { Reach } from '../../provider-client.ts';

const scalar = z.union([z.string().max(2_000), z.number(), z.boolean()]);
const path = z
  .string()
  .max(2_000)
  .regex(/^\/(?![/\\])[^\s?#\\]*$/, 'must be a path of the service, such as /v1/items, without a query')
  // Whatever is judged and shown is what is asked: nothing in it is resolved away (RFC 3986, section 5.2.4).
  .refine(
    (given) => URL.canParse(given, 'https://x') && new URL(given, 'https://x').pathname === given,
    'must be written as it is asked: without . and .. and with other letters escaped',
  );
const query = z.record(z.string().max(200), scalar);

const check = z
  .strictObject({
    path,
    query: query.optional(),
    items: z.string().max(500).default('').describe('Where the list stands in the answer, by dots; empty: at its top.'),
    where: z
      .record(z.string().max(200), scalar)
      .refine((given) => Object.keys(given).length > 0, 'needs a field')
      .describe('Fields of the one that is sought, with their values.'),
  })
  .describe('A list that has what was made, so that it can be told afterwards whether it happened.');

const shape = {
  summary: z.string().trim().min(1).max(200).describe('What it does, in words for the person who decides.'),
  path,
  query: query.optional(),
  body: z.record(z.string().max(200), z.json()).optional(),
  check: check.optional(),
};

const sendPayload = z.strictObject({ ...shape, method: z.enum(['POST', 'PUT', 'PATCH']) });
const deletePayload = z.strictObject({ ...shape, method: z.literal('DELETE').default('DELETE') });
type Payload = z.output<typeof sendPayload> | z.output<typeof deletePayload>;

const foreign = 'A page for people was answered, and no JSON, so that it is not known whether it was done.';

/** What both have; `send` and `lookup` reach the address that the account was linked by. */
const common = {
  source: 'http_json',
  handle: 'none' as const, // without `check` nobody can tell
  requiresConfirmation: true,
  editable: ['body', 'query'] as const,
  preview: ({ summary, method, path: at, query: asked, body, check: sought }: Payload) => ({
    title: `${method} ${at}: ${summary.replaceAll(/\s+/g, ' ')}`,
    fields: [
      { label: 'Request', text: `${method} ${at}` },
      { label: 'Parameters', text: asked ? JSON.stringify(asked, null, 2) : '' },
      { label: 'Body', text: body ? JSON.stringify(body, null, 2) : '' },
      { label: 'Asked afterwards', text: sought ? JSON.stringify(sought, null, 2) : '' },
    ].filter(({ text }) => text !== ''),
    isComplete: true,
  }),
  target: ({ method, path: at }: Payload) => ({ recipients: [], what: `${method} ${at}` }),

  async prepare(reach: Reach, payload: Payload) {
    const origin = await originOf(reach);
    return { origin, was_there: payload.check ? await isThere(reach, origin, payload.check) : null };
  },

  async send(
    { client, link }: Reach,
    { method, path: at, query: asked, body }: Payload,
    handle: Record<string, unknown>,
  ) {
    const url = new URL(at, String(handle['origin'])).href;
    const request = { method, url, ...(asked && { query: asked }), ...(body && { body }) };
    const { status, headers, body: answer } = await client.send(link, request);
    if (/html/i.test(headers['content-type'] ?? '')) throw new AppError('upstream_failed', foreign);
    return { status, ...(answer.length > 0 && { answer: answerIn(answer) }) };
  },

  async lookup(reach: Reach, { check: sought }: Payload, handle: Record<string, unknown>): Promise<Outcome> {
    if (!sought)
      return { state: 'ambiguous', reason: 'It was drafted without `check`, so the service cannot be asked.' };
    const isThereNow = await isThere(reach, String(handle['origin']), sought);
    return checkOutcome({
      wasThere: handle['was_there'] === true,
      isThere: isThereNow,
      result: { found: sought.where },
    });
  },
};

/** A request that makes or changes something. */
export const sendRequest: Action = defineAction<typeof sendPayload, Reach>({
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
  payload: sendPayload,
});

/** A request that deletes something. */
export const sendDelete: Action = defineAction<typeof deletePayload, Reach>({
  ...common,
  name: 'send_delete',
  example: { summary: 'Take order 7 back', path: '/v1/orders/order-7' },
  summary: 'Delete something at a JSON service.',
  risk: 'destructive',
  payload: deletePayload,
});

async function originOf(reach: Reach): Promise<string> {
  const address = await reach.address();
  if (address === null) throw new AppError('conflict', 'This account has no address. Link it again.');
  return new URL(address).origin;
}

async function isThere(reach: Reach, origin: string, { path: at, query: asked, items, where }: z.output<typeof check>) {
  const url = new URL(at, origin).href;
  const request = fill({ method: 'GET', url, ...(asked && { queryParams: asked }) }, {});
  const { data } = await askThrough(reach.client, reach.link)(request);
  const list = valueAt(data, items);
  if (!Array.isArray(list))
    throw new AppError('invalid_input', `check.items: there is no list ${items || 'at the top'}.`);
  const fits = (item: unknown) =>
    Object.entries(where).every(([name, value]) => String(valueAt(item, name) ?? '') === String(value));
  return list.some(fits);
}

/** As JSON where it is, and its beginning. */
function answerIn(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString('utf8');
  try {
    return text.length <= 20_000 ? (JSON.parse(text) as unknown) : `${text.slice(0, 20_000)}…`;
  } catch {
    return text.slice(0, 2_000);
  }
}
