import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { askPolicy } from './ask-policy.ts';
import { reasonOf } from './judge.ts';
import { presentVerdict } from './present.ts';

/** Throws `forbidden` with the rule when the policy does not let this caller read a source through an account. */
export async function checkRead(ctx: Context, source: string, account: string): Promise<void> {
  const subject = { source, action: 'read', risk: 'read', account, caller: ctx.caller.kind } as const;
  const ruling = await askPolicy(ctx.db, { ...subject, recipients: [], what: 'reading' });
  if (ruling.effect === 'allow' || (ruling.effect !== 'block' && ctx.caller.isHumanSurface)) return;
  const message = `The policy of this workspace does not let you read ${source}. ${reasonOf(ruling)}`;
  throw new AppError('forbidden', message, { policy: presentVerdict(ruling) });
}
