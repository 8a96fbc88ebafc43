import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { askPolicy, readActor, readingOf, type Ruling } from './ask-policy.ts';
import { reasonOf } from './judge.ts';
import { presentVerdict } from './present.ts';

type Asker = Pick<Context, 'db' | 'caller'>;

/**
 * Throws `forbidden` with the rule when the policy does not let this caller read a source through an account.
 * `targets`: the address that is read, in every reading.
 */
export async function checkRead(
  ctx: Asker,
  source: string,
  account: string,
  targets?: readonly string[],
): Promise<void> {
  const ruling = await readRuling(ctx, source, account, targets);
  if (isAllowed(ctx, ruling)) return;
  const message = `The policy of this workspace does not let you read ${source}. ${reasonOf(ruling)}`;
  throw new AppError('forbidden', message, { policy: presentVerdict(ruling) });
}

/** Throws `forbidden` with the rule when the policy blocks what a person has set up to be read again and again. */
export async function checkSyncRead(db: Db, source: string, account: string): Promise<void> {
  const ruling = await askPolicy(db, readingOf(source, { account, caller: 'session', ownRules: [] }));
  if (ruling.effect !== 'block') return;
  const message = `The policy of this workspace blocks reading ${source}, so this sync is paused. Change the rule to let it go on. ${reasonOf(ruling)}`;
  throw new AppError('forbidden', message, { policy: presentVerdict(ruling) });
}

/** Whether the policy lets this caller read a source through an account. */
export async function mayRead(ctx: Context, source: string, account: string): Promise<boolean> {
  return isAllowed(ctx, await readRuling(ctx, source, account));
}

function readRuling(ctx: Asker, source: string, account: string, targets?: readonly string[]): Promise<Ruling> {
  return askPolicy(ctx.db, readingOf(source, { account, ...readActor(ctx.caller) }, targets));
}

function isAllowed(ctx: Asker, { effect }: Ruling): boolean {
  return effect === 'allow' || (effect !== 'block' && ctx.caller.isHumanSurface);
}
