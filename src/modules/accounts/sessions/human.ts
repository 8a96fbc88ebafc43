// Checks for operations that need a person at the console, or a recent proof of who they are.
import { isAtConsole, type Caller } from '#kernel/caller';
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { withOwnIdentity } from './own-identity.ts';
import { listAuthenticators } from '../store/authenticators.ts';
import { isByOperator, findSessionProofTime } from '../store/sessions.ts';

const freshForMs = 10 * 60 * 1000;

/** Throws unless a person who signed in at the console is calling: not a key, nor a session that a key opened. */
export function checkHuman({ caller }: { caller: Caller }): void {
  if (isAtConsole(caller)) return;
  throw new AppError('forbidden', 'Only a person who signed in to the console may do this. Open the console.');
}

/** Throws unless that person signed in, or proved again who they are, within the last ten minutes. */
export function checkFresh({ db, caller, now }: Context): Promise<void> {
  return checkFreshSession(db, caller, now);
}

/**
 * Like `checkFresh`, but lets an identity without any sign-in method add its first one, if its session came from the
 * operator's terminal. Such an identity cannot prove itself in another way, and the person at that terminal can access
 * the database anyway.
 */
export async function checkFreshOrFirst(ctx: Context): Promise<void> {
  const { db, caller } = ctx;
  checkHuman(ctx);
  if ((await isByOperator(db, caller.id)) && (await withOwnIdentity(ctx, (id) => hasNone(db, id)))) return;
  await checkFresh(ctx);
}

async function hasNone(db: Db, identityId: string): Promise<boolean> {
  const authenticators = await listAuthenticators(db, identityId);
  return authenticators.every(({ confirmed_at }) => confirmed_at === null);
}

/** Like `checkFresh` for a person at the console. Other callers pass, because they cannot prove anything again. */
export async function checkFreshPerson(ctx: Context): Promise<void> {
  if (isAtConsole(ctx.caller)) await checkFresh(ctx);
}

export async function checkFreshSession(db: Db, caller: Caller, now: Date): Promise<void> {
  checkHuman({ caller });
  if (await isFreshSession(db, caller, now)) return;
  throw new AppError(
    'forbidden',
    'Confirm first that it is you, as when you sign in. Then try again within 10 minutes.',
    {
      reason: 'proof_needed',
    },
  );
}

/** Whether the person of a session proved who they are within the last ten minutes. */
export async function isFreshSession(db: Db, { id }: Caller, now: Date): Promise<boolean> {
  const provedAt = await findSessionProofTime(db, id);
  return provedAt !== null && now.getTime() - provedAt.getTime() < freshForMs;
}
