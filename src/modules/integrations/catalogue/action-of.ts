// A described write as an action like any other.
import { randomUUID } from 'node:crypto';
import { defineAction, type Action, type Attempt } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { bodyJson, type EgressResponse } from '#platform/egress';
import { bytesOf, filesIn } from '../actions/files.ts';
import { valueAt } from '../executor/values.ts';
import type { z } from 'zod';
import type { Reach } from '../provider-client.ts';
import { bringFiles } from './bring-files.ts';
import { wrongInWrite } from './check-writes.ts';
import { holds } from './conditions.ts';
import { knownBy, otherNamesOf } from './known.ts';
import { identities, lookedUp, outcomeOf, resultOf } from './look-up.ts';
import { writtenMoment } from './moments.ts';
import { payloadOf, previewOf, valuesOf } from './payload.ts';
import type { Api, Call } from './pieces.ts';
import { refuseWrong } from './placeholders.ts';
import { asking, findMade, lookupOf, requestOf, takeSteps } from './steps.ts';
import { unclear, undoBy } from './undo-by.ts';
import { valueOf, written } from './text.ts';
import type { Write } from './write.ts';

/** Their clock may be behind ours by so much. */
const clockMarginMs = 5 * 60_000;

/** The API of a source that is written to. */
export type Written = { source: string; api: Api; writes: readonly Write[] };

/** The actions that are described for a source. Throws an `Error` that names a placeholder which would never have a value. */
export function actionsOf({ source, api, writes }: Written): Action[] {
  for (const write of writes) refuseWrong(`${source} ${write.name}`, [...wrongInWrite(write)]);
  return writes.map((write) => actionOf(source, api, write));
}

function actionOf(source: string, api: Api, write: Write): Action {
  const payload = payloadOf(write);
  const otherNames = otherNamesOf(write);
  return defineAction<typeof payload, Reach>({
    name: write.name,
    source,
    summary: write.summary,
    risk: write.risk,
    handle: write.handle,
    requiresConfirmation: write.requiresConfirmation ?? true,
    ...(write.scopes && { scopes: write.scopes }),
    payload,
    example: write.example,
    editable: write.editable,
    preview: (given) => previewOf(write, given),
    target: (given) => ({
      recipients: (write.recipients ?? []).flatMap((name) => (given[name] ?? []) as string[]), // fields that are lists
      what: written(write.target, { input: given }),
      ...(write.reachesOthers && { reachesOthers: true }),
      ...(otherNames !== undefined && { otherNames }),
    }),

    ...(write.files && { fileBytes: (given) => bytesOf(filesIn(given)) }),

    async prepare(reach, given, attempt) {
      const handle: Record<string, unknown> = { draft: draftOf(attempt) };
      const files = filesIn(given);
      await takeSteps(write.before ?? [], {
        api,
        reach,
        given: valuesOf(write, given),
        kept: handle,
        isRetry: attempt.isRetry,
        ...(files.length > 0 && write.abandon && { startsOver: write.abandon }),
      });
      const values = () => ({ ...valuesOf(write, given), ...handle });
      if (write.files) await bringFiles({ api, reach, files: write.files }, files, values());
      const lookup = lookupOf(write, values());
      const known = lookup && (await identities(asking(api, reach), lookup, values()));
      if (known) handle['known'] = known;
      requestOf(api, write.call, values()); // what cannot be filled is found out before anything leaves
      return handle;
    },

    async send(reach, given, handle) {
      const values = { ...valuesOf(write, given), ...handle };
      const response = await reach.client.send(reach.link, requestOf(api, write.call, values));
      return resultOf(write, values, madeOf(write, response));
    },

    async lookup(reach, given, handle, others) {
      const values = { ...valuesOf(write, given), ...handle };
      const lookup = lookupOf(write, values);
      if (!lookup) return { state: 'ambiguous', reason: 'The provider has nothing by which it can be asked.' };
      return outcomeOf(write, lookup, values, await lookedUp(asking(api, reach), write, lookup, values, others));
    },

    ...knownBy(api, write),
    ...(write.handle === 'likeness' && { likeness: likenessOf(write) }),
    ...(write.undo && { undo: undoBy(api, write, write.undo) }),
    ...(write.abandon && { abandon: abandonBy(api, write, write.abandon) }),
  });
}

/** Two are alike that would be found by the same in the same place. */
function likenessOf(write: Write): NonNullable<Action<z.ZodObject, Reach>['likeness']> {
  const told = Object.entries(write.result).find(([, template]) => template === '{{item.id}}');
  return {
    of(given, handle) {
      const { draft: _draft, known: _known, ...place } = handle;
      const values = { ...valuesOf(write, given), ...handle };
      const { where = [], like = [] } = lookupOf(write, values) ?? {};
      return JSON.stringify([place, [...where, ...like].map(({ is = '' }) => valueOf(is, values))]);
    },
    idOf: (result) => result[told?.[0] ?? ''],
    seenBefore: ({ known }) => (known as unknown[] | undefined) ?? [], // made by `prepare`
  };
}

function abandonBy(api: Api, { before = [] }: Write, call: Call): NonNullable<Action<never, Reach>['abandon']> {
  return async (reach, noted, draftId) => {
    const kept: Record<string, unknown> = noted ?? { draft: { id: draftId } };
    if (noted || (await findMade(before, { api, reach, given: {}, kept })))
      await reach.client.send(reach.link, requestOf(api, call, kept));
  };
}

function draftOf({ draftId }: Attempt) {
  const since = new Date(Date.now() - clockMarginMs);
  const chosenId = randomUUID();
  return {
    id: draftId,
    chosen_id: chosenId,
    nonce: BigInt(`0x${chosenId.replaceAll('-', '')}`).toString(36),
    since: since.toISOString(),
    since_seconds: Math.floor(since.getTime() / 1000),
    since_snowflake: writtenMoment(since.getTime(), 'snowflake'),
  };
}

/** What was made, as the answer has it. Throws when it does not: then the provider is asked. */
function madeOf({ at, doneWhen }: Write, response: EgressResponse): unknown {
  if (at === '' && !doneWhen && response.body.length === 0) return null; // it says nothing beyond its status
  const data = bodyJson(response);
  const item = valueAt(data, at);
  const isDone = doneWhen ? holds(doneWhen, data) : item !== undefined && item !== null;
  if (!isDone) throw new AppError('upstream_failed', unclear);
  return item;
}
