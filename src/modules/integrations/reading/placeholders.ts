// Compares the placeholders of a descriptor with what is known where they stand. One that is misspelt has no value, and what has no
// value is left out: of a write without a word.
import { partsOf } from '../executor/endpoint.ts';
import { stepsOf } from '../executor/values.ts';
import type { Call, Listing } from './pieces.ts';

/** What is known at a place, by its names; null: of it nothing is known beforehand, such as what a provider answers. */
export type Names = { readonly [name: string]: Names } | null;

/** What a name of a list may be followed by: one of it, all, or how many. */
const ofList = /^(?:\*|\+|-?\d+|length)$/;

/** Refuses to start with a descriptor that has something wrong. */
export function refuseWrong(descriptor: string, wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(`The descriptor ${descriptor} is wrong. ${wrong.join(' ')}`);
}

/** These names, of each of which nothing more is known. */
export function named(names: Iterable<string>): Record<string, Names> {
  return Object.fromEntries([...names].map((name) => [name, null]));
}

/** What is wrong with a path, such as `input.title`. */
export function* wrongInPath(place: string, path: string, known: Names, written = path): Generator<string> {
  let there = known;
  for (const step of stepsOf(path)) {
    if (typeof step !== 'string') {
      yield* wrongInPath(place, step.at, known, written);
      return;
    }
    if (there === null) return;
    if (there !== known && ofList.test(step)) continue;
    if (!Object.hasOwn(there, step)) {
      const names = Object.keys(there).join(', ') || 'nothing';
      yield `${place}: nothing is known by ${written}: there is no ${step} among ${names}.`;
      return;
    }
    there = there[step] ?? null;
  }
}

/** What is wrong with the placeholders of texts, however deep they stand in lists and objects. */
export function* wrongInTexts(place: string, value: unknown, known: Names): Generator<string> {
  if (typeof value === 'string') return yield* wrongInText(place, value, known);
  if (typeof value !== 'object' || value === null) return;
  const { $each, $as, $with, $when, ...rest } = value as Record<string, unknown>;
  for (const path of [$each, $with, $when]) if (typeof path === 'string') yield* wrongInPath(place, path, known);
  const inside = typeof $as === 'string' ? { ...known, [$as]: null } : known;
  for (const [name, each] of Object.entries(rest))
    yield* wrongInTexts(name.startsWith('$') ? place : `${place}.${name}`, each, inside);
}

function* wrongInText(place: string, text: string, known: Names): Generator<string> {
  for (const part of partsOf(text)) {
    if ('path' in part) yield* wrongInPath(place, part.path, known, `{{${part.path}}}`);
    else if (part.literal.includes('{{')) yield `${place}: a placeholder of ${text} cannot be read.`;
  }
}

/** What is wrong with a call. */
export function wrongInCall(place: string, call: Call | undefined, known: Names): Generator<string> {
  return wrongInTexts(place, call, known);
}

/** What is wrong with the calls of a list, which know the `page` that is asked for. */
export function* wrongInListing(place: string, listing: Listing | undefined, known: Names): Generator<string> {
  yield* wrongInCall(`${place}.call`, listing?.call, { ...known, page: null });
  yield* wrongInCall(`${place}.nextCall`, listing?.nextCall, { ...known, page: null });
}
