// A write as data: one endpoint, and a list that shows whether the write happened. Used for recipes and for services
// that people describe.
import type { Action, Outcome } from '#kernel/action';
import { z } from 'zod';
import {
  type Api,
  createAsk,
  call,
  type Call,
  fill,
  name,
  path,
  type ProviderApi,
  pickRefusals,
  template,
  readValue,
  readTemplateValue,
  type Values,
  fillTemplate,
} from '#providers/http';
import { createNames, assertNoErrors, findCallErrors, findTextErrors } from './placeholders.ts';
import { parseBodyJson } from '#platform/egress';
import { normalizeValue, defineWrite, type Draft, fieldTable, type WrittenTo } from '#providers/writing';

/** Placeholders: `{{input.<field>}}` and `{{draft.id}}`; in `result` also `{{answer.…}}`. */
export const describedWrite = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be lower-case letters, digits and _'),
  summary: z.string().max(300),
  risk: z.enum(['write', 'destructive']),
  fields: fieldTable,
  example: z.record(z.string(), z.json()),
  editable: z.array(name).readonly(),
  title: template,
  target: template,
  endpoint: call,
  /** The result, from the provider's answer. */
  result: z.record(name, template).optional(),
  /** A list that contains the created item. A look-up searches it for an item with these values, by their paths. */
  check: z.strictObject({ call, items: path, where: z.record(path, template) }).optional(),
});
export type DescribedWrite = z.input<typeof describedWrite>;

/** The described action. Throws an `Error` that names any placeholder which would never have a value. */
export function defineDescribedAction(to: WrittenTo, described: DescribedWrite): Action {
  const { endpoint, result = {}, check, title, target, ...said } = describedWrite.parse(described);
  assertNoErrors(`${to.source} ${said.name}`, [
    ...findWriteErrors({ ...said, endpoint, result, check, title, target }),
  ]);
  const isThere = async (api: ProviderApi, values: Values) => {
    if (!check) return false;
    const { data } = await createAsk(api.reach.client, api.reach.link)(
      fillCall(to.api, check.call, values),
      pickRefusals(to.api),
    );
    return hasItem(readValue(data, check.items), Object.entries(check.where), values);
  };
  return defineWrite(to, {
    ...said,
    title: (input) => fillTemplate(title, { input }),
    target: (input) => fillTemplate(target, { input }),
    handle: 'none',
    prepare: async (api, input, { draft }) => ({ was_there: await isThere(api, { input, draft }) }),
    async send({ reach }, input, { draft }) {
      const request = { ...fillCall(to.api, endpoint, { input, draft }), ...pickRefusals(to.api) };
      const response = await reach.client.send(reach.link, request);
      const answer = response.body.length > 0 ? parseBodyJson(response) : undefined;
      return Object.fromEntries(
        Object.entries(result).map(([key, value]) => [key, readTemplateValue(value, { input, draft, answer })]),
      );
    },
    ...(check && {
      lookup: async (api: ProviderApi, input: Values, { draft, was_there: wasThere }: StoredWrite) =>
        judgeListOutcome({ wasThere, isThere: await isThere(api, { input, draft }), result: {} }),
    }),
  });
}

type StoredWrite = { draft: Draft; was_there: boolean };

/**
 * Finds the outcome in a list that was read before and after sending. The list may have more pages, so a missing item
 * proves nothing.
 */
export function judgeListOutcome(of: {
  wasThere: boolean;
  isThere: boolean;
  result: Record<string, unknown>;
}): Outcome {
  if (of.wasThere)
    return { state: 'ambiguous', reason: 'The provider has it, but had it already before the request was sent.' };
  if (of.isThere) return { state: 'confirmed', result: of.result };
  return { state: 'ambiguous', reason: 'It is not in the part of the list that was read.' };
}

function fillCall(api: Api, { path: at, headers, ...rest }: Call, values: Values) {
  return fill({ ...rest, url: `${api.baseUrl}${at}`, headers: { ...api.headers, ...headers } }, values);
}

function hasItem(list: unknown, where: readonly [string, string][], values: Values): boolean {
  const isMeant = (item: unknown) =>
    where.every(
      ([at, wanted]) => normalizeValue(readValue(item, at)) === normalizeValue(readTemplateValue(wanted, values)),
    );
  return Array.isArray(list) && list.some(isMeant);
}

function* findWriteErrors({
  fields,
  endpoint,
  result,
  check,
  title,
  target,
}: z.output<typeof describedWrite>): Generator<string> {
  const input = createNames(Object.keys(fields));
  const draft = createNames(['id', 'chosen_id', 'nonce', 'since', 'since_seconds', 'since_snowflake']);
  yield* findTextErrors('', { title, target }, { input });
  yield* findCallErrors('endpoint', endpoint, { input, draft });
  yield* findTextErrors('result', result, { input, draft, answer: null });
  yield* findCallErrors('check', check?.call, { input, draft });
  yield* findTextErrors('check', check?.where, { input, draft });
}
