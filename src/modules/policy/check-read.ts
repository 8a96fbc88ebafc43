import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { askPolicy, readActor, buildReadSubject, type Ruling } from './ask-policy.ts';
import { formatReason } from './judge.ts';
import { presentVerdict } from './present.ts';

type ReadAsker = Pick<Context, 'db' | 'caller'>;

declare const isReadRuling: unique symbol;

/**
 * The policy's permission to read a source through an account. Only this file creates one, and all code that reads
 * outside takes one as an argument, so no reading can skip the policy.
 */
export type ReadRuling = { readonly source: string; readonly account: string; readonly [isReadRuling]: true };

function createRuling(source: string, account: string): ReadRuling {
  return { source, account } as ReadRuling; // the mark exists only for the compiler
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

/**
 * The permission to read what several sources of an account share: permission for one of them is enough. Without any,
 * throws like `checkRead`.
 */
export async function checkReadOfAny(ctx: ReadAsker, sources: readonly string[], account: string): Promise<ReadRuling> {
  for (const source of sources) {
    if (isAllowed(ctx, await readRuling(ctx, source, account))) return createRuling(source, account);
  }
  return checkRead(ctx, sources[0] ?? 'accounts', account);
}

/** Throws `forbidden` with the rule when the policy blocks a recurring reading that a person has set up. */
export async function checkSyncRead(
  db: Db,
  source: string,
  account: string,
  targets?: readonly string[],
): Promise<ReadRuling> {
  const subject = buildReadSubject(source, { account, caller: 'session', ownRules: [] }, targets);
  const ruling = await askPolicy(db, subject);
  if (ruling.effect !== 'block') return createRuling(source, account);
  const message = `The policy of this workspace blocks reading ${source}, so this sync is paused. Change the rule to continue it. ${formatReason(ruling)}`;
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
