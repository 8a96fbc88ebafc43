// The recipients of a draft, stored with it: the person who decides sees which of them are external and new.
import type { Action, TargetSnapshot } from '#kernel/action';
import type { Db } from '#kernel/database';
import type { Payload } from '#kernel/parse-payload';
import { extractAddress } from '#modules/policy';
import { findReached } from '../store/reached.ts';

/**
 * Everybody the draft reaches, those of them who are external and whom no confirmed draft of the workspace reached
 * before, and whether it may destroy something.
 */
export type DraftReach = { reached: string[]; newly_reached: string[]; is_destructive: boolean };

/** Mail hosts where anybody can have an address: two people there are not colleagues. */
const publicHosts = new Set([
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'icloud.com',
  'yahoo.com',
  'proton.me',
  'gmx.de',
  'gmx.net',
  'web.de',
]);

/** The recipients of a payload and the people whom its target adds, each address once and in lower case. */
export function listReached(
  action: Pick<Action, 'target'>,
  payload: Payload,
  target: Pick<TargetSnapshot, 'people'> | null,
): string[] {
  const others = target?.people?.flatMap(({ addresses }) => addresses) ?? [];
  const all = [...action.target(payload).recipients, ...others];
  return [...new Set(all.map((each) => extractAddress(each).toLowerCase()))].toSorted();
}

/** The addresses outside the account's own organisation. */
export function listOutside(reached: readonly string[], account: string): string[] {
  const own = getHost(account);
  const isInside = (address: string) => own !== '' && !publicHosts.has(own) && getHost(address) === own;
  return reached.filter((address) => address.includes('@') && address !== account.toLowerCase() && !isInside(address));
}

function getHost(address: string): string {
  return address.includes('@') ? address.slice(address.lastIndexOf('@') + 1).toLowerCase() : '';
}

/** The reach of a draft with this payload. */
export async function readReach(
  db: Db,
  action: Action,
  { payload, account, target }: { payload: Payload; account: string; target: TargetSnapshot | null },
): Promise<DraftReach> {
  const reached = listReached(action, payload, target);
  const outside = listOutside(reached, account);
  const known = await findReached(db, outside);
  const fresh = outside.filter((address) => !known.has(address));
  return { reached, newly_reached: fresh, is_destructive: action.risk === 'destructive' };
}
