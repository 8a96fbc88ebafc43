// Asks for what a list left out, where the list is not sure to have all there is.
import { valueAt } from '../executor/values.ts';
import { ProviderFault } from '../provider-fault.ts';
import { holds } from './conditions.ts';
import type { Stream } from './descriptor.ts';
import type { Ask } from './list.ts';
import type { Call } from './pieces.ts';

type Check = NonNullable<NonNullable<Stream['absence']>['check']>;

/** So many are asked for in one reading; of the others it is asked in the next. */
const mostAsked = 500;
const askedAtOnce = 10;
const deepest = 20;

/** Those that are there after all, or of which that is not known yet. */
export async function stillThere(ask: Ask, check: Check, missing: readonly string[]): Promise<string[]> {
  const answers = new Map<string, Promise<unknown>>();
  // What lies in the same place is not asked for again.
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

/** It is there unless it is not found, or it, or something that it lies in, says that it is gone. */
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
    // What it lies in need not be there for this account.
    found = next && (await find(next.call, next.id));
  }
  return true;
}

/** Undefined when there is no such thing. What may not be seen says nothing. */
async function answerOf(ask: Ask, call: Call, ref: string): Promise<unknown> {
  try {
    return (await ask(call, { ref })).data;
  } catch (error) {
    if (error instanceof ProviderFault && error.category === 'not_found') return undefined;
    if (error instanceof ProviderFault && error.category === 'permission') return {};
    throw error;
  }
}
