// The limits of each plan (decision 19), as data. A business workspace pays per seat, and each seat adds to its limits.
import type { Context } from '#kernel/context';
import type { Limits } from '#modules/brains';
import { countPeople } from '../store/people.ts';
import { lockPlan, readPlan } from '../store/plans.ts';

type Plan = Omit<Limits, 'plan'> & {
  /** Numbers are per seat. A workspace has a seat for each of its people, and at least this many. */
  fewestSeats?: number;
};

const unlimited: Plan = { brains: null, depth: null, people: null, skills: null };

const plans: Readonly<Record<string, Plan>> = {
  selfhost: unlimited,
  free: { brains: 1, depth: 1, people: 1, skills: 50 },
  pro: { brains: 25, depth: 2, people: 1, skills: 200 },
  business: { brains: 10, depth: null, people: null, skills: 200, fewestSeats: 5 },
  enterprise: unlimited,
};

/**
 * The limits of the call's workspace. If something is limited, the workspace's plan is locked until the transaction
 * ends, so that two calls cannot both use the last unit.
 */
export async function lockPlanLimits(ctx: Context): Promise<Limits> {
  const plan = await readPlan(ctx.db, ctx.caller.workspaceId);
  const allowed = plans[plan];
  if (!allowed) throw new Error(`there is no plan ${plan}`);
  const { fewestSeats, ...limits } = allowed;
  if (Object.values(limits).every((limit) => limit === null)) return { plan, ...limits };
  await lockPlan(ctx.db, ctx.caller.workspaceId);
  const seats = fewestSeats ? Math.max(fewestSeats, await countPeople(ctx.db)) : 1;
  const each = (limit: number | null) => limit && limit * seats;
  return { ...limits, plan, brains: each(limits.brains), skills: each(limits.skills) };
}
