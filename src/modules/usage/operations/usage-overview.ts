import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { llmProviders, type ModelName } from '#platform/llm';
import { z } from 'zod';
import type { CapName, Caps } from '../caps.ts';
import type { MeteredLlm } from '../metered-llm.ts';
import { sumToday, sumUsage, type UsageSum } from '../store.ts';
import { llmTags } from '../tags.ts';
import { toDollars, computeOverdueBefore, listVisiblePersonIds } from '../visible-usage.ts';

const dayMs = 24 * 60 * 60 * 1000;

const model = z.object({ provider: z.enum(llmProviders), model: z.string() });
const figures = z.object({
  calls: z.number().int(),
  failed_calls: z.number().int().describe('Failed or cancelled calls. They may have cost something, too.'),
  unfinished_calls: z.number().int().describe('Calls whose server stopped before the answer.'),
  unpriced_calls: z.number().int().describe('Calls with unknown cost. They are not in cost_usd.'),
  input_tokens: z.number().int(),
  cached_input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cost_usd: z.number(),
});

const cap = z.object({
  cap_usd: z.number().nullable().describe('null: no cap.'),
  spent_usd: z.number().describe('What counts today. A call with unknown cost counts the most it can have cost.'),
  reserved_usd: z.number().describe('Reserved for current calls.'),
});

const output = z.object({
  period: z.object({ days: z.number().int(), from: z.iso.date(), to: z.iso.date() }).describe('Days in UTC.'),
  of: z.enum(['workspace', 'person']).describe('The person of this usage.'),
  models: z
    .object({
      main: model.nullable(),
      fast: model.nullable().describe('The model for short turns, if it is a separate one.'),
    })
    .describe('The configured models; null: none.'),
  caps: z
    .object({
      resets_at: z.iso.datetime(),
      person: cap.describe('Of the requested person, else of the caller.'),
      trial: cap.describe('Of that person’s automations that nobody ever activated; counted in person, too.'),
      workspace: cap.nullable().describe('null: members do not see it.'),
    })
    .nullable()
    .describe(
      'The daily caps that the operator of the server set. A call that could exceed one is not made. null: no model.',
    ),
  total: figures,
  by_day: z.array(figures.extend({ date: z.iso.date() })).describe('Every day of the period, today the last.'),
  by_tag: z.array(figures.extend({ tag: z.enum(llmTags) })).describe('Most expensive first.'),
  by_model: z.array(figures.extend(model.shape)).describe('Most expensive first.'),
});

/** `caps`: null where no model is set, and no embedder elsewhere. */
export function createUsageOverview(llm: MeteredLlm | null, caps: Caps | null) {
  return defineOperation({
    name: 'usage_overview',
    summary: 'Show the usage and cost of language models: in total, by day, by purpose and by model.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'usage:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/usage' }],
    input: z.strictObject({
      days: z.number().int().min(1).max(365).default(30),
      person_id: z.uuid().optional().describe('For admins: the person. Members see their own.'),
    }),
    output,
    errors: ['forbidden'],
    examples: [{ title: 'The last week', input: { days: 7 } }],
    async run(ctx, { days, person_id }) {
      const dates = listLastDates(ctx.now, days);
      const since = new Date(`${dates[0]}T00:00:00Z`);
      const personIds = listVisiblePersonIds(ctx.caller, person_id);
      const sums = await sumUsage(ctx.db, { personIds, since }, computeOverdueBefore(ctx.now));
      const ofDay = Map.groupBy(sums, ({ day }) => day);
      return {
        period: { days, from: dates[0] ?? '', to: dates.at(-1) ?? '' },
        of: personIds ? ('person' as const) : ('workspace' as const),
        models: getModelNames(llm),
        caps: caps && (await presentCaps(ctx, caps, person_id)),
        total: add(sums),
        by_day: dates.map((date) => ({ date, ...add(ofDay.get(date) ?? []) })),
        by_tag: sortDearestFirst(sums, ({ tag }) => tag).map(([first, own]) => ({ tag: first.tag, ...add(own) })),
        by_model: sortDearestFirst(sums, ({ provider, model: name }) => `${provider} ${name}`).map(([first, own]) => ({
          provider: first.provider,
          model: first.model,
          ...add(own),
        })),
      };
    },
  });
}

async function presentCaps({ db, caller }: Context, caps: Caps, asked: string | undefined) {
  const isAdmin = caller.role !== 'member';
  const today = await sumToday(db, (isAdmin && asked) || caller.personId);
  const present = (name: CapName) => ({
    cap_usd: caps[name] === null ? null : toDollars(caps[name]),
    spent_usd: toDollars(today[name].spent),
    reserved_usd: toDollars(today[name].reserved),
  });
  const [person, trial] = [present('person'), present('trial')];
  return { resets_at: today.resetsAt.toISOString(), person, trial, workspace: isAdmin ? present('workspace') : null };
}

function getModelNames(llm: MeteredLlm | null): { main: ModelName | null; fast: ModelName | null } {
  if (!llm) return { main: null, fast: null };
  const [main, fast] = [llm.getModel({}), llm.getModel({ isShort: true })];
  return { main, fast: fast.provider === main.provider && fast.model === main.model ? null : fast };
}

function add(sums: readonly UsageSum[]): z.input<typeof figures> {
  const total = (figure: (sum: UsageSum) => number) => sums.reduce((all, sum) => all + figure(sum), 0);
  return {
    calls: total(({ calls }) => calls),
    failed_calls: total(({ failed }) => failed),
    unfinished_calls: total(({ unfinished }) => unfinished),
    unpriced_calls: total(({ unpriced }) => unpriced),
    input_tokens: total(({ input_tokens }) => input_tokens),
    cached_input_tokens: total(({ cached_input_tokens }) => cached_input_tokens),
    output_tokens: total(({ output_tokens }) => output_tokens),
    cost_usd: toDollars(total(({ cost_micro_usd }) => cost_micro_usd)),
  };
}

function sortDearestFirst(
  sums: readonly UsageSum[],
  getKey: (sum: UsageSum) => string,
): [first: UsageSum, own: UsageSum[]][] {
  const groups = [...Map.groupBy(sums, getKey).values()].flatMap((own): [UsageSum, UsageSum[]][] =>
    own[0] ? [[own[0], own]] : [],
  );
  const size = (own: UsageSum[]) => add(own);
  return groups.toSorted(([, a], [, b]) => size(b).cost_usd - size(a).cost_usd || size(b).calls - size(a).calls);
}

function listLastDates(now: Date, days: number): string[] {
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  return Array.from({ length: days }, (_, day) =>
    new Date(today - (days - 1 - day) * dayMs).toISOString().slice(0, 10),
  );
}
