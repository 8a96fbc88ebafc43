// What is found out, or made unseen, before something is written: to name what it is sent to, or to have a handle.
import { AppError } from '#kernel/errors';
import { fill } from '../executor/fill.ts';
import { valueAt, type Values } from '../executor/values.ts';
import { askThrough } from '../ask-through.ts';
import type { Reach } from '../provider-client.ts';
import { isNotFound } from '../provider-fault.ts';
import { find, findAll, isSought } from './find.ts';
import type { Ask } from './list.ts';
import { refusalsOf, type Api, type Call } from './pieces.ts';
import { askOf } from './source-of.ts';
import { written } from './text.ts';
import type { Before, Lookup, Write } from './write.ts';

/** Asks an API, as a described call says, what changes nothing there. */
export function asking(api: Api, { client, link }: Reach): Ask {
  return askOf({ api }, { ask: askThrough(client, link) });
}

/** A described call as it is sent. */
export function requestOf(api: Api, { path, ...call }: Call, values: Values) {
  const endpoint = { ...call, url: `${api.baseUrl}${path}`, headers: { ...api.headers, ...call.headers } };
  return { ...fill(endpoint, values), ...refusalsOf(api) };
}

/**
 * What is given, and what is kept; `isRetry`: an earlier attempt may have made something, which is gone on with, or, where there is a
 * `startsOver`, taken back by that and made once more: nobody knows how far it was.
 */
type Taking = {
  api: Api;
  reach: Reach;
  given: Values;
  kept: Record<string, unknown>;
  isRetry?: boolean;
  startsOver?: Call;
};

/** Takes steps one after the other; each knows what those before it have kept, which is put into `kept`. */
export async function takeSteps(
  steps: readonly Before[],
  { api, reach, given, kept, isRetry = false, startsOver }: Taking,
): Promise<void> {
  const through = { api, reach, ask: asking(api, reach), isRetry, startsOver };
  for (const step of steps) {
    const values = { ...given, ...kept };
    if (!isSought(step, values)) continue;
    kept[step.as] = await keptOf(step, values, (known) => keepOne(through, step, known));
  }
}

/** By which it is asked afterwards. */
export function lookupOf({ lookups = [] }: Write, values: Values): Lookup | undefined {
  return lookups.find((each) => isSought(each, values));
}

/** What is kept of what a step finds, or of each that it finds. */
async function keptOf(step: Before, values: Values, keep: (values: Values) => Promise<unknown>): Promise<unknown> {
  if (!step.each) return keep(values);
  const { of, as } = step.each;
  const kept: unknown[] = [];
  for (const each of [valueAt(values, of) ?? []].flat()) {
    const found = await keep({ ...values, [as]: each });
    kept.push(step.all ? { [as]: each, all: found } : found);
  }
  return kept;
}

type Through = { api: Api; reach: Reach; ask: Ask; isRetry: boolean; startsOver: Call | undefined };

/** Throws when it is missing. */
async function keepOne(through: Through, step: Before, values: Values): Promise<unknown> {
  const { ask } = through;
  if (step.all) return (await findAll(ask, step, values)).map((each) => keepOf(step, each));
  const found = step.makes ? await made(through, step, values) : await theOne(ask, step, values);
  if (found === undefined) throw new AppError('not_found', written(step.missing, values));
  return keepOf(step, found);
}

function keepOf({ keep }: Before, found: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(keep).map(([name, place]) => [name, valueAt(found, place)]));
}

async function made(through: Through, step: Before, values: Values): Promise<unknown> {
  const { api, reach, ask, isRetry, startsOver } = through;
  const before = isRetry && step.again ? await find(ask, step.again, values) : undefined;
  if (before !== undefined && !startsOver) return before;
  if (before !== undefined && startsOver) {
    const known = { ...values, [step.as]: keepOf(step, before) };
    await reach.client.send(reach.link, requestOf(api, startsOver, known));
  }
  return make(reach, api, step, values);
}

/** Finds what an attempt has made of which nobody was told; what is kept of it is put into `kept`. Answers whether there is any. */
export async function findMade(steps: readonly Before[], { api, reach, given, kept }: Taking): Promise<boolean> {
  for (const step of steps) {
    if (!step.again) continue;
    const found = await find(asking(api, reach), step.again, { ...given, ...kept });
    if (found === undefined) continue;
    kept[step.as] = keepOf(step, found);
    return true;
  }
  return false;
}

async function make({ client, link }: Reach, api: Api, { one }: Before, values: Values): Promise<unknown> {
  if (!one) throw new Error('what is made has an address');
  return valueAt(await client.json(link, requestOf(api, one.call, values)), one.at);
}

/** What is meant, and not one of several that have the same name. Where there is no list there is nothing in it. */
async function theOne(ask: Ask, step: Before, values: Values): Promise<unknown> {
  try {
    if (step.several === undefined) return await find(ask, step, values);
    const [found, another] = await findAll(ask, step, values);
    if (another !== undefined) throw new AppError('invalid_input', written(step.several, values));
    return found;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
