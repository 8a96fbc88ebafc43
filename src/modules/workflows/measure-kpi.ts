// The present value of a KPI: given by hand, or computed from the rows of a board.
import type { Context } from '#kernel/context';
import { locateBoards, queryRows } from '#modules/boards';
import type { Kpi } from './parts.ts';

export type KpiMeasure = {
  /** Null: there is none now. */
  value: number | null;
  measuredAt: string | null;
  /** Why there is no value, where it comes from a board. */
  problem: string | null;
};

/** Measures a KPI with the rights of the caller. Throws `invalid_input` for conditions that no query has. */
export async function measureKpi(ctx: Context, { value, measured_at, query }: Kpi): Promise<KpiMeasure> {
  if (!query) return { value, measuredAt: measured_at, problem: null };
  const { board_id, dataset, where, figure, field } = query;
  if (!(await canReadBoard(ctx, board_id)))
    return buildProblem('Its board was deleted, or you may not read it. Give the KPI another query, or a value.');
  const fields = { sum: [], avg: [], min: [], max: [], [figure]: field === undefined ? [] : [field] };
  const aggregate = { by: [], ...fields };
  const { groups, total } = await queryRows(ctx, board_id, { dataset, where, sort: [], aggregate, limit: 1 });
  if (figure === 'count' || field === undefined) return buildMeasure(total, ctx.now);
  const found = groups?.[0]?.[figure]?.[field];
  if (found === null || found === undefined)
    return buildProblem(`No row of the query has a number in ${field}. Check the field and the conditions.`);
  const number = Number(found);
  if (typeof found === 'boolean' || !Number.isFinite(number))
    return buildProblem(`The ${figure} of ${field} is not a number. Choose a field with numbers.`);
  return buildMeasure(number, ctx.now);
}

async function canReadBoard(ctx: Context, boardId: string): Promise<boolean> {
  if (!ctx.caller.scopes.has('boards:read')) return false;
  const [board] = await locateBoards(ctx.db, [boardId]);
  return board?.brainId != null && (await ctx.brains()).roles.has(board.brainId);
}

function buildMeasure(value: number, at: Date): KpiMeasure {
  return { value, measuredAt: at.toISOString(), problem: null };
}

function buildProblem(problem: string): KpiMeasure {
  return { value: null, measuredAt: null, problem };
}
