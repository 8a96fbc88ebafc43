// What a provider knows of a described write before it happens: how what it touches is called there, whom it reaches, and what it
// would overwrite.
import type { Action, Known } from '#kernel/action';
import { AppError } from '#kernel/errors';
import type { z } from 'zod';
import { partsOf } from '../executor/endpoint.ts';
import { valueAt, type Values } from '../executor/values.ts';
import type { Reach } from '../provider-client.ts';
import { holds } from './conditions.ts';
import { find, fits } from './find.ts';
import type { Ask } from './list.ts';
import { valuesOf, type Payload } from './payload.ts';
import type { Api } from './pieces.ts';
import { entriesAt, knownStanding, standingIn } from './standing.ts';
import { asking, lookupOf, takeSteps } from './steps.ts';
import { valueOf, written } from './text.ts';
import type { Comparison, Write } from './write.ts';

/** How it is asked; nothing when there is nothing to ask. */
export function knownBy(api: Api, write: Write): Pick<Action<z.ZodObject, Reach>, 'known'> {
  if (write.handle !== 'state' && !write.known) return {};
  const finding = (write.before ?? []).filter(({ makes }) => !makes);
  return {
    known: {
      async ask(reach, payload) {
        const kept: Record<string, unknown> = {};
        const given = valuesOf(write, payload);
        const taking = { api, reach, given, kept };
        await takeSteps(finding, taking);
        await takeSteps(write.known?.also ?? [], taking).catch(notNeeded);
        const values = { ...given, ...kept };
        const changed = write.handle === 'state' ? await changedBy(asking(api, reach), write, values, payload) : {};
        const standing = [...knownStanding(write, values, payload), ...(changed.standing ?? [])];
        return {
          ...told(write, values),
          standing,
          overwrites: { ...knownBefore(write, values), ...changed.overwrites },
        };
      },
    },
  };
}

/** What is asked for telling alone may be missing: sending does without. */
function notNeeded(error: unknown): never {
  if (error instanceof AppError && error.code === 'not_found')
    throw new AppError('upstream_failed', error.message, {}, { cause: error });
  throw error;
}

/** In which words what it touches may be called, with `*` for what stands in the place of what was given. */
export function otherNamesOf({ target, known }: Write): string | undefined {
  if (!known?.names) return undefined;
  return partsOf(target)
    .map((part) => ('literal' in part ? part.literal : '*'))
    .join('')
    .replaceAll(/\*(?:\s*\*)*/g, '*') // the words of several may stand in one
    .trim();
}

function told({ known = {} }: Write, values: Values): Omit<Known, 'overwrites' | 'standing'> {
  const { names = [], shown = [], about, people, hiddenWhen } = known;
  const isFor = ({ when }: { when?: Parameters<typeof holds>[0] | undefined }) => !when || holds(when, values);
  const isHidden = (hiddenWhen ?? []).some((each) => holds(each, values));
  return {
    names: names
      .map((name) => (typeof name === 'string' ? { text: name, when: undefined } : name))
      .filter((name) => isFor(name) && isFilled(name.text, values))
      .flatMap(({ text }) => inBothForms(written(text, values))),
    shown: shown
      .filter((each) => isFor(each) && isFilled(each.text, values))
      .map(({ label, text }) => ({ label, text: written(text, values) })),
    ...(about !== undefined && isFilled(about, values) && { about: written(about, values) }),
    people:
      people && !isHidden
        ? people.filter(isFor).map(({ label, at, or, isSomebody }) => {
            const own = addressesAt(values, at);
            const addresses = own.length || !or ? own : addressesAt(values, or);
            return { label, addresses, ...(isSomebody && { isSomebody }) };
          })
        : null,
  };
}

function addressesAt(values: Values, place: string): string[] {
  return [valueAt(values, place)].flat(3).filter((each): each is string => typeof each === 'string' && each !== '');
}

function isFilled(template: string, values: Values): boolean {
  return partsOf(template).every((part) => 'literal' in part || (valueAt(values, part.path) ?? '') !== '');
}

/** What is written over, of fields that have no place to compare. */
function knownBefore({ known = {} }: Write, values: Values): Known['overwrites'] {
  const { was = {} } = known;
  return Object.fromEntries(Object.entries(was).map(([name, template]) => [name, valueOf(template, values)]));
}

/** A UUID is written with dashes, and without them in links. */
function inBothForms(name: string): string[] {
  const plain = name.replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, (uuid) =>
    uuid.replaceAll('-', ''),
  );
  return [...new Set([name, plain])];
}

/** Those places of what it changes that the wish says something about, and all of it where it is deleted. */
async function changedBy(
  ask: Ask,
  write: Write,
  values: Values,
  payload: Payload,
): Promise<Partial<Pick<Known, 'overwrites' | 'standing'>>> {
  const lookup = lookupOf(write, values);
  if (!lookup) return {};
  const { where = [], one } = lookup;
  if (!one) return {}; // which of a list it would be is not told apart from what it is to become
  const item = await find(ask, { one }, values);
  if (lookup.isGone) return { overwrites: { all: item } };
  const overwrites = Object.fromEntries(where.flatMap((comparison) => [...placesOf(comparison, item, values)]));
  return { overwrites, standing: standingIn(write, lookup, item, payload) };
}

/** What stands there now; of lists that are to have something, whether they have it. */
function* placesOf(comparison: Comparison, item: unknown, values: Values): Generator<[string, unknown]> {
  const { is, contains, has, lacks, entries } = comparison;
  if (entries) return yield* entriesAt(item, comparison.at, entries, valueAt(values, entries.of));
  const wanted = valueOf(is ?? contains ?? has ?? lacks ?? '', values);
  if (wanted === undefined || wanted === null) return;
  const isPart = (has ?? lacks) !== undefined;
  for (const place of [comparison.at].flat())
    yield isPart
      ? [`${place} ${JSON.stringify(wanted)}`, fits([comparison], item, values)]
      : [place, valueAt(item, place)];
}
