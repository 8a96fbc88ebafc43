// Makes an action, which the gate drafts and sends, of a write.
import { defineAction, type Action, type CompetingItems, type Outcome } from '#kernel/action';
import { bytesOf, filesIn } from './files.ts';
import { type Api, apiFor, type ProviderApi, type Reach } from '#providers/http';
import { draftOf, type Draft } from './draft.ts';
import type { FieldTable, InputOf } from './fields.ts';
import { idsBefore, fingerprintFor, outcomeByFingerprint } from './fingerprint.ts';
import { payloadOf, previewOf, type Payload } from './payload.ts';
import { snapshotFor } from './snapshot.ts';
import { madeOutcome, stateOutcome } from './state.ts';
import { undoFor, type IsListed } from './undo.ts';
import type { AnyWrite, Result, Write } from './write.ts';

/** The source of a write, and where its API is. */
export type WrittenTo = { source: string; api: Api };

/** Declares a write, typed by its fields. Editable fields cannot change the facts that are shown before a decision. */
export function defineWrite<
  const Fields extends FieldTable,
  const Editable extends keyof Fields & string,
  Found extends object = object,
  Made extends object = object,
  Item = unknown,
>(
  { source, api }: WrittenTo,
  write: Write<Fields, Editable, InputOf<Fields>, Omit<InputOf<Fields>, Editable>, Found, Made, Item>,
): Action {
  return actionOf(source, api, write as unknown as AnyWrite); // stored inputs are parsed by the schema of the fields
}

/** The stored data of a write while it is sent. */
type Handle = Record<string, unknown> & { draft: Draft; known?: string[] };

function actionOf(source: string, api: Api, write: AnyWrite): Action {
  const payload = payloadOf(write);
  const { name, summary, risk, handle, scopes, example, editable, abandon } = write;
  const isListed: IsListed = async (reach, input, kept) => {
    const asked = { api: apiFor(api, reach), input, of: kept as Handle }; // made by `prepare`
    if (write.undo?.isThere) return write.undo.isThere(asked.api, input, asked.of);
    return !write.state && (await outcomeOf(write, asked)).state !== 'failed';
  };
  return defineAction<typeof payload, Reach>({
    name,
    source,
    summary,
    risk,
    handle,
    requiresConfirmation: write.requiresConfirmation ?? true,
    ...(scopes && { scopes }),
    payload,
    example,
    editable,
    preview: (input) =>
      previewOf(write.fields, input, {
        title: write.title(input),
        isChange: handle === 'state',
        ...(write.notes && { notes: write.notes }),
      }),
    target: (input) => ({
      recipients: (write.recipients ?? []).flatMap((field) => (input[field] ?? []) as string[]), // fields that are lists
      what: write.target(input).trim(),
      ...(write.readings && { readings: write.readings(input) }),
      ...(write.reachesOthers && { reachesOthers: true }),
      ...otherNamesOf(write, input),
    }),
    ...(write.files && { fileBytes: (input) => bytesOf(filesIn(input)) }),
    ...snapshotFor(api, write),
    ...sendingBy(api, write),
    ...(write.fingerprint && { fingerprint: fingerprintFor(write.fingerprint) }),
    ...(write.undo && { undo: undoFor(api, write.undo, isListed) }),
    ...(abandon && {
      abandon: (reach, made, draftId) => abandon(apiFor(api, reach), made, draftId),
    }),
  });
}

function otherNamesOf({ otherNames }: AnyWrite, input: Payload): { otherNames?: string } {
  const words = typeof otherNames === 'function' ? otherNames(input) : otherNames;
  return words === undefined ? {} : { otherNames: words };
}

/** How a write is prepared, sent, and looked up. */
function sendingBy(
  api: Api,
  write: AnyWrite,
): Pick<Action<ReturnType<typeof payloadOf>, Reach>, 'prepare' | 'send' | 'lookup'> {
  return {
    async prepare(reach, input, attempt) {
      const asked = apiFor(api, reach);
      const found = await write.resolve?.(asked, input);
      const of = { draft: draftOf(attempt), ...found };
      const made = await write.prepare?.(asked, input, of, { isRetry: attempt.isRetry, files: filesIn(input) });
      const known = write.fingerprint && (await idsBefore(write.fingerprint, asked, input, of));
      return { ...of, ...made, ...(known && { known }) };
    },
    send: async (reach, input, handle) => withoutGaps(await write.send(apiFor(api, reach), input, handle as Handle)),
    async lookup(reach, input, handle, others): Promise<Outcome> {
      const outcome = await outcomeOf(write, { api: apiFor(api, reach), input, of: handle as Handle, others }); // made by `prepare`
      return outcome.state === 'confirmed' ? { ...outcome, result: withoutGaps(outcome.result) } : outcome;
    },
  };
}

type Asked = { api: ProviderApi; input: Payload; of: Handle; others?: CompetingItems | undefined };

/** The outcome of a write, as the provider reports it. */
async function outcomeOf(
  write: AnyWrite,
  { api, input, of, others = { taken: [], seen: [] } }: Asked,
): Promise<Outcome> {
  const { find, state, gone, fingerprint, lookup, fields } = write;
  if (lookup) return lookup(api, input, of);
  if (find) return madeOutcome(await find(api, input, of));
  if (state) return stateOutcome(state, fields, api, { input, found: of });
  if (fingerprint) return outcomeByFingerprint(fingerprint, api, { input, of, known: of.known ?? [], others });
  if (gone) return madeOutcome((await gone.read(api, input, of)) === undefined ? gone.result(input, of) : undefined);
  return { state: 'ambiguous', reason: 'The provider has nothing by which it can be asked.' };
}

/** Missing values are omitted. */
function withoutGaps(result: Result): Result {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined && value !== null));
}
