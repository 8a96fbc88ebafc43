import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { judgeAction } from '#modules/policy';
import { parseAddress } from '#platform/egress';
import { openOutputRoute } from './open-output-route.ts';

/**
 * Checks an address against the policy of the workspace. Throws `forbidden` for a blocked address. Returns why a person
 * must approve it at the console, or null.
 */
export async function checkAddress(ctx: Context, url: string): Promise<string | null> {
  const { hostname } = parseAddress(url);
  const { effect, reason } = await judgeAction(ctx, openOutputRoute, { url }, hostname);
  if (effect === 'block')
    throw new AppError('forbidden', `The policy of this workspace blocks routes to ${hostname}. ${reason}`);
  return effect === 'require_human' && !ctx.caller.isHumanSurface ? reason : null;
}
