// A write as data alone: one endpoint, and a list by which it can be told whether it happened. For recipes, and for what people describe.
import type { Action, Outcome } from '#kernel/action';
import { z } from 'zod';
import {
  type Api,
  askThrough,
  call,
  type Call,
  fill,
  name,
  path,
  type ProviderApi,
  refusalsOf,
  template,
  valueAt,
  valueOf,
  type Values,
  written,
} from '#providers/http';
import { named, refuseWrong, wrongInCall, wrongInTexts } from './placeholders.ts';
import { bodyJson } from '#platform/egress';
import { comparable, defineWrite, type Draft, fieldTable, type WrittenTo } from '#providers/writing';

/** Placeholders: `{{input.<field>}}` and `{{draft.id}}`; in `result` also `{{answer.…}}`. */
export const describedWrite = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be small letters, digits and _'),
  summary: z.string().max(300),
  risk: z.enum(['write', 'destructive']),
  fields: fieldTable,
  example: z.record(z.string(), z.json()),
  editable: z.array(name).readonly(),
  title: template,
  target: template,
  endpoint: call,
  /** What is told of it, of what the provider answered. */
  result: z.record(name, template).optional(),
  /** A list that has what was made: afterwards the provider is asked for an item with these values, by their paths. */
  check: z.strictObject({ call, items: path, where: z.record(path, template) }).optional(),
});
export type DescribedWrite = z.input<typeof describedWrite>;

/** The action that is described. Throws an `Error` that names a placeholder which would never have a value. */
export function describedAction(to: WrittenTo, described: DescribedWrite): Action {
  const { endpoint, result = {}, check, title, target, ...said } = describedWrite.parse(described);
  refuseWrong(`${to.source} ${said.name}`, [...wrongIn({ ...said, endpoint, result, check, title, target })]);
  const isThere = async (api: ProviderApi, values: Values) => {
    if (!check) return false;
    const { data } = await askThrough(api.reach.client, api.reach.link)(
      filled(to.api, check.call, values),
      refusalsOf(to.api),
    );
    return hasItem(valueAt(data, check.items), Object.entries(check.where), values);
  };
  return defineWrite(to, {
    ...said,
    title: (input) => written(title, { input }),
    target: (input) => written(target, { input }),
    handle: 'none',
    prepare: async (api, input, { draft }) => ({ was_there: await isThere(api, { input, draft }) }),
    async send({ reach }, input, { draft }) {
      const request = { ...filled(to.api, endpoint, { input, draft }), ...refusalsOf(to.api) };
      const response = await reach.client.send(reach.link, request);
      const answer = response.body.length > 0 ? bodyJson(response) : undefined;
      return Object.fromEntries(
        Object.entries(result).map(([key, value]) => [key, valueOf(value, { input, draft, answer })]),
      );
    },
    ...(check && {
      lookup: async (api: ProviderApi, input: Values, { draft, was_there: wasThere }: Kept) =>
        checkOutcome({ wasThere, isThere: await isThere(api, { input, draft }), result: {} }),
    }),
  });
}

type Kept = { draft: Draft; was_there: boolean };

/** What a list says that was read before and after. It may go on, so that what it lacks proves nothing. */
export function checkOutcome(of: { wasThere: boolean; isThere: boolean; result: Record<string, unknown> }): Outcome {
  if (of.wasThere) return { state: 'ambiguous', reason: 'The service has it, and had it before it was sent.' };
  if (of.isThere) return { state: 'confirmed', result: of.result };
  return { state: 'ambiguous', reason: 'What was read of the list does not have it.' };
}

function filled(api: Api, { path: at, headers, ...rest }: Call, values: Values) {
  return fill({ ...rest, url: `${api.baseUrl}${at}`, headers: { ...api.headers, ...headers } }, values);
}

function hasItem(list: unknown, where: readonly [string, string][], values: Values): boolean {
  const isMeant = (item: unknown) =>
    where.every(([at, wanted]) => comparable(valueAt(item, at)) === comparable(valueOf(wanted, values)));
  return Array.isArray(list) && list.some(isMeant);
}

function* wrongIn({
  fields,
  endpoint,
  result,
  check,
  title,
  target,
}: z.output<typeof describedWrite>): Generator<string> {
  const input = named(Object.keys(fields));
  const draft = named(['id', 'chosen_id', 'nonce', 'since', 'since_seconds', 'since_snowflake']);
  yield* wrongInTexts('', { title, target }, { input });
  yield* wrongInCall('endpoint', endpoint, { input, draft });
  yield* wrongInTexts('result', result, { input, draft, answer: null });
  yield* wrongInCall('check', check?.call, { input, draft });
  yield* wrongInTexts('check', check?.where, { input, draft });
}
