// Looks up items that a list omitted, where the list may be incomplete.
import { type Call, holds, ProviderFault, valueAt } from '#providers/http';
import type { Stream } from './descriptor.ts';
import type { Ask } from './list.ts';

type Check = NonNullable<NonNullable<Stream['absence']>['check']>;

/** The most look-ups of one reading; the others follow in the next. */
const mostAsked = 500;
const askedAtOnce = 10;
const deepest = 20;

/** The items that still exist, or whose existence is unknown. */
export async function stillThere(ask: Ask, check: Check, missing: readonly string[]): Promise<string[]> {
  const answers = new Map<string, Promise<unknown>>();
  // A shared parent is not looked up again.
  const find = (call: Call, ref: string) => {
    const name = `${call.path} ${ref}`;
    const answer = answers.get(name) ?? answerOf(ask, call, ref);
    answers.set(name, answer);
    return answer;
  };
  const asked = missing.slice(0, mostAsked);
  const there = missing.slice(mostAsked);
  for (let at = 0; at < asked.length; at += askedAtOnce) {
    const some = asked.slice(at, at + askedAtOnce);
    const found = await Promise.all(some.map((ref) => isThere(find, check, ref)));
    there.push(...some.filter((_ref, place) => found[place]));
  }
  return there;
}

/** An item exists unless it is not found, or it, or a parent of it, is marked as deleted. */
async function isThere(
  find: (call: Call, ref: string) => Promise<unknown>,
  { call, goneWhen, above = [] }: Check,
  ref: string,
): Promise<boolean> {
  let found = await find(call, ref);
  if (found === undefined) return false;
  for (let depth = 0; found !== undefined && depth < deepest; depth += 1) {
    if (holds(goneWhen, found)) return false;
    const [next] = above.flatMap((place) => {
      const id = valueAt(found, place.at);
      return typeof id === 'string' ? [{ call: place.call, id }] : [];
    });
    // Its parent need not be visible for this account.
    found = next && (await find(next.call, next.id));
  }
  return true;
}

/** Undefined when it does not exist. A forbidden item proves nothing. */
async function answerOf(ask: Ask, call: Call, ref: string): Promise<unknown> {
  try {
    return (await ask(call, { ref })).data;
  } catch (error) {
    if (error instanceof ProviderFault && error.category === 'not_found') return undefined;
    if (error instanceof ProviderFault && error.category === 'permission') return {};
    throw error;
  }
}
