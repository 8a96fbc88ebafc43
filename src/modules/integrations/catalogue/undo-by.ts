// Takes back what a described write did: to what was there before.
import type { Action } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { bodyJson } from '#platform/egress';
import type { z } from 'zod';
import { valueAt, type Values } from '../executor/values.ts';
import type { Reach } from '../provider-client.ts';
import { isNotFound } from '../provider-fault.ts';
import { holds } from './conditions.ts';
import { fits } from './find.ts';
import type { Ask } from './list.ts';
import { lookedUp } from './look-up.ts';
import { valuesOf } from './payload.ts';
import type { Api } from './pieces.ts';
import { asking, lookupOf, requestOf } from './steps.ts';
import type { Write } from './write.ts';

/** What is told of something done, when the provider's answer does not say what was made. */
export const unclear =
  'The provider answered, and not as its documentation says, so that it is not known whether it was done.';

type Undo = NonNullable<Write['undo']>;
type Done = { handle: Record<string, unknown>; result: Record<string, unknown> };

/** How it is taken back, and whether there is anything to take back. */
export function undoBy(
  api: Api,
  write: Write,
  { says, forMinutes, steps }: Undo,
): NonNullable<Action<z.ZodObject, Reach>['undo']> {
  const todo = (given: Record<string, unknown>, { handle, result }: Done) => {
    const values = { ...valuesOf(write, given), ...handle, result };
    return steps.flatMap((step) => valuesFor(step, values).map((known) => ({ step, known })));
  };
  return {
    says,
    forMinutes,
    applies: (given, done) => todo(given, done).length > 0,
    async run(reach, given, done) {
      for (const { step, known } of todo(given, done)) {
        try {
          const response = await reach.client.send(reach.link, requestOf(api, step.call, known));
          if (step.doneWhen && !holds(step.doneWhen, bodyJson(response)))
            throw new AppError('upstream_failed', unclear);
        } catch (error) {
          if (!isNotFound(error)) throw error;
          await checkGone(asking(api, reach), write, known);
        }
      }
    },
  };
}

/** What a step is filled with, once for each that it is for; nothing when it is for none. */
function valuesFor({ each, when, where = [] }: Undo['steps'][number], values: Values): Values[] {
  const list = each ? [valueAt(values, each.of) ?? []].flat() : [];
  const all = each ? list.map((one) => ({ ...values, [each.as]: one })) : [values];
  return all.filter((known) => (!when || holds(when, known)) && fits(where, known, known));
}

/** “Not found” may be said of what may no longer be seen. Throws unless what was made is surely not there. */
async function checkGone(ask: Ask, write: Write, values: Values): Promise<void> {
  const lookup = lookupOf(write, values);
  if (!lookup?.listing) return;
  const isThere = (await lookedUp(ask, write, lookup, values)) !== undefined;
  if (isThere)
    throw new AppError('upstream_failed', 'The provider says that it is not there, and lists it all the same.');
}
