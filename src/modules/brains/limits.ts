import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';

/**
 * The limits of a workspace's plan; null means no limit. `depth` counts levels of brains, starting with the highest.
 */
export type Limits = {
  plan: string;
  brains: number | null;
  depth: number | null;
  people: number | null;
  skills: number | null;
};

/** Reads the limits, and locks them until the transaction ends. */
export type ReadLimits = (ctx: Context) => Promise<Limits>;

const words = {
  brains: ['brains', 'Delete one you no longer need, or choose a larger plan.'],
  depth: ['levels of brains', 'Put it higher in the tree, or choose a larger plan.'],
  people: ['people, including invited ones', 'Choose a larger plan to invite more.'],
  skills: ['skills', 'Save a new version of one that exists, or choose a larger plan.'],
} as const;

/** Throws `plan_limit` when a number would exceed the plan. `count` includes the new item. */
export function checkLimit(limits: Limits, of: keyof typeof words, count: number): void {
  const limit = limits[of];
  if (limit === null || count <= limit) return;
  const [what, advice] = words[of];
  throw new AppError('plan_limit', `The plan ${limits.plan} allows ${limit} ${what}. ${advice}`, {
    plan: limits.plan,
    limit_of: of,
    limit,
  });
}
