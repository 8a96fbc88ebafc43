import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { askPolicy, readActor, buildReadSubject, type Ruling } from './ask-policy.ts';
import { formatReason } from './judge.ts';
import { presentVerdict } from './present.ts';

type ReadAsker = Pick<Context, 'db' | 'caller'>;

declare const isReadRuling: unique symbol;

/**
 * The policy's leave to read a source through an account. Only this file makes one, and whatever reads outside takes one
 * as an argument, so that no reading is written that the policy was not asked about.
 */
export type ReadRuling = { readonly source: string; readonly account: string; readonly [isReadRuling]: true };

function createRuling(source: string, account: string): ReadRuling {
  return { source, account } as ReadRuling; // the mark is for the compiler alone
}

/**
 * Throws `forbidden` with the rule when the policy does not let this caller read a source through an account.
 * `targets`: the address that is read, in every reading.
 */
export async function checkRead(
  ctx: ReadAsker,
  source: string,
  account: string,
  targets?: readonly string[],
): Promise<ReadRuling> {
  const ruling = await readRuling(ctx, source, account, targets);
  if (isAllowed(ctx, ruling)) return createRuling(source, account);
  const message = `The policy of this workspace does not let you read ${source}. ${formatReason(ruling)}`;
  throw new AppError('forbidden', message, { policy: presentVerdict(ruling) });
}

/** Leave to read what is common to several sources of an account: that for one of them. Throws as `checkRead` without any. */
export async function checkReadOfAny(ctx: ReadAsker, sources: readonly string[], account: string): Promise<ReadRuling> {
  for (const source of sources) {
    if (isAllowed(ctx, await readRuling(ctx, source, account))) return createRuling(source, account);
  }
  return checkRead(ctx, sources[0] ?? 'accounts', account);
}

/** Throws `forbidden` with the rule when the policy blocks what a person has set up to be read again and again. */
export async function checkSyncRead(db: Db, source: string, account: string): Promise<ReadRuling> {
  const ruling = await askPolicy(db, buildReadSubject(source, { account, caller: 'session', ownRules: [] }));
  if (ruling.effect !== 'block') return createRuling(source, account);
  const message = `The policy of this workspace blocks reading ${source}, so this sync is paused. Change the rule to let it go on. ${formatReason(ruling)}`;
  throw new AppError('forbidden', message, { policy: presentVerdict(ruling) });
}

/** Whether the policy lets this caller read a source through an account. */
export async function mayRead(ctx: Context, source: string, account: string): Promise<boolean> {
  return isAllowed(ctx, await readRuling(ctx, source, account));
}

function readRuling(ctx: ReadAsker, source: string, account: string, targets?: readonly string[]): Promise<Ruling> {
  return askPolicy(ctx.db, buildReadSubject(source, { account, ...readActor(ctx.caller) }, targets));
}

function isAllowed(ctx: ReadAsker, { effect }: Ruling): boolean {
  return effect === 'allow' || (effect !== 'block' && ctx.caller.isHumanSurface);
}
