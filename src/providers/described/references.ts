// Names of things that an item mentions by their ids alone.
import { textOf, valueAt, type Values } from '#providers/http';
import { isWithheld } from './details.ts';
import type { References } from './descriptor.ts';
import type { Ask } from './list.ts';

/** The most names that are asked for in one reading. */
const mostAsked = 1_000;
/** The names that a reading has asked for: the same things are mentioned by many items. */
const asked = new WeakMap<Ask, Map<string, Promise<string>>>();

/** The values with an item that has the names of what it mentions, and whether a name is missing. */
export async function withReferences(
  ask: Ask,
  references: References | undefined,
  values: Values,
): Promise<{ values: Values; isWhole: boolean }> {
  if (!references) return { values, isWhole: true };
  const copy = { ...values, item: structuredClone(values['item']) };
  const mentions = [valueAt(copy, references.at)].flat(10).filter((each) => typeof each === 'object' && each !== null);
  let isWhole = mentions.length <= references.most;
  await Promise.all(
    mentions.slice(0, references.most).map(async (mention) => {
      const id = valueAt(mention, references.id);
      const name = typeof id === 'string' ? await nameOf(ask, references, id) : '';
      isWhole &&= name !== '';
      Object.assign(mention, { [references.as]: name });
    }),
  );
  return { values: copy, isWhole };
}

/** Empty for what this account may not see, or when too many were asked for. */
function nameOf(ask: Ask, references: References, id: string): Promise<string> {
  const names = asked.get(ask) ?? new Map<string, Promise<string>>();
  asked.set(ask, names);
  const key = `${references.call.path} ${id}`;
  const name = names.get(key) ?? (names.size < mostAsked ? readName(ask, references, id) : Promise.resolve(''));
  if (names.size < mostAsked) names.set(key, name);
  return name;
}

async function readName(ask: Ask, { call, name }: References, id: string): Promise<string> {
  try {
    return textOf(valueAt((await ask(call, { ref: id })).data, name)).trim();
  } catch (error) {
    if (isWithheld(error)) return '';
    throw error;
  }
}
