// Checks the placeholders of a descriptor. A misspelt placeholder has no value, so its part would silently be left out.
import { type Call, type Listing, splitTemplate, parsePath } from '#providers/http';

/**
 * The names that placeholders can use in a part of a descriptor; null: the names are not known in advance, such as
 * those of an answer.
 */
export type Names = { readonly [name: string]: Names } | null;

/** What may follow the name of a list: one entry, all entries, or their number. */
const ofList = /^(?:\*|\+|-?\d+|length)$/;

/** Refuses to start with a wrong descriptor. */
export function assertNoErrors(descriptor: string, wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(`The descriptor ${descriptor} is wrong. ${wrong.join(' ')}`);
}

/** These names, without fields of their own. */
export function createNames(names: Iterable<string>): Record<string, Names> {
  return Object.fromEntries([...names].map((name) => [name, null]));
}

/** The error of a path, such as `input.title`. */
export function* findPathErrors(place: string, path: string, known: Names, written = path): Generator<string> {
  let there = known;
  for (const step of parsePath(path)) {
    if (typeof step !== 'string') {
      yield* findPathErrors(place, step.at, known, written);
      return;
    }
    if (there === null) return;
    if (there !== known && ofList.test(step)) continue;
    if (!Object.hasOwn(there, step)) {
      const names = Object.keys(there).join(', ') || 'nothing';
      yield `${place}: the placeholder ${written} is unknown: there is no ${step} among ${names}.`;
      return;
    }
    there = there[step] ?? null;
  }
}

/** The errors of placeholders in texts, at any depth of lists and objects. */
export function* findTextErrors(place: string, value: unknown, known: Names): Generator<string> {
  if (typeof value === 'string') return yield* findErrorsOfText(place, value, known);
  if (typeof value !== 'object' || value === null) return;
  const { $each, $as, $with, $when, ...rest } = value as Record<string, unknown>;
  for (const path of [$each, $with, $when]) if (typeof path === 'string') yield* findPathErrors(place, path, known);
  const inside = typeof $as === 'string' ? { ...known, [$as]: null } : known;
  for (const [name, each] of Object.entries(rest))
    yield* findTextErrors(name.startsWith('$') ? place : `${place}.${name}`, each, inside);
}

function* findErrorsOfText(place: string, text: string, known: Names): Generator<string> {
  for (const part of splitTemplate(text)) {
    if ('path' in part) yield* findPathErrors(place, part.path, known, `{{${part.path}}}`);
    else if (part.literal.includes('{{')) yield `${place}: a placeholder of ${text} cannot be read.`;
  }
}

/** The errors of a call. */
export function findCallErrors(place: string, call: Call | undefined, known: Names): Generator<string> {
  return findTextErrors(place, call, known);
}

/** The errors of a list's calls, which know the requested `page`. */
export function* findListingErrors(place: string, listing: Listing | undefined, known: Names): Generator<string> {
  yield* findCallErrors(`${place}.call`, listing?.call, { ...known, page: null });
  yield* findCallErrors(`${place}.nextCall`, listing?.nextCall, { ...known, page: null });
}
