// Turns a write into an action that the gate drafts and sends.
import { defineAction, type Action, type CompetingItems, type Outcome } from '#kernel/action';
import { sumBytes, getFiles } from './files.ts';
import { type Api, createProviderApi, type ProviderApi, type Reach } from '#providers/http';
import { createDraft, type Draft } from './draft.ts';
import type { FieldTable, InputOf } from './fields.ts';
import { listIdsBefore, createFingerprint, findOutcomeByFingerprint } from './fingerprint.ts';
import { buildPayloadSchema, buildPreview, type Payload } from './payload.ts';
import { createSnapshot } from './snapshot.ts';
import { judgeCreation, findStateOutcome } from './state.ts';
import { createUndo, type IsListed } from './undo.ts';
import type { AnyWrite, Result, Write } from './write.ts';

/** The source that a write belongs to, and the address of its API. */
export type WrittenTo = { source: string; api: Api };

/**
 * Declares a write, typed by its fields. Editable fields must not influence the facts that are shown before a decision.
 */
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
  return createAction(source, api, write as unknown as AnyWrite); // stored inputs are parsed by the schema of the fields
}

/** The stored data of a write while it is sent. */
type Handle = Record<string, unknown> & { draft: Draft; known?: string[] };

function createAction(source: string, api: Api, write: AnyWrite): Action {
  const payload = buildPayloadSchema(write);
  const { name, aliases, summary, risk, handle, scopes, example, editable, abandon } = write;
  const isListed: IsListed = async (reach, input, kept) => {
    const asked = { api: createProviderApi(api, reach), input, of: kept as Handle }; // made by `prepare`
    if (write.undo?.isThere) return write.undo.isThere(asked.api, input, asked.of);
    return !write.state && (await findOutcome(write, asked)).state !== 'failed';
  };
  return defineAction<typeof payload, Reach>({
    name,
    source,
    ...(aliases && { aliases }),
    summary,
    risk,
    handle,
    requiresConfirmation: write.requiresConfirmation ?? true,
    ...(scopes && { scopes }),
    payload,
    example,
    editable,
    preview: (input) =>
      buildPreview(write.fields, input, {
        title: write.title(input),
        isChange: handle === 'state',
        ...(write.notes && { notes: write.notes }),
      }),
    target: (input) => ({
      recipients: (write.recipients ?? []).flatMap((field) => (input[field] ?? []) as string[]), // fields that are lists
      what: write.target(input).trim(),
      ...(write.readings && { readings: write.readings(input) }),
      ...(write.reachesOthers && { reachesOthers: true }),
      ...buildOtherNames(write, input),
    }),
    ...(write.files && { fileBytes: (input) => sumBytes(getFiles(input)) }),
    ...createSnapshot(api, write),
    ...createSending(api, write),
    ...(write.fingerprint && { fingerprint: createFingerprint(write.fingerprint) }),
    ...(write.undo && { undo: createUndo(api, write.undo, isListed) }),
    ...(abandon && {
      abandon: (reach, made, draftId) => abandon(createProviderApi(api, reach), made, draftId),
    }),
  });
}

function buildOtherNames({ otherNames }: AnyWrite, input: Payload): { otherNames?: string } {
  const words = typeof otherNames === 'function' ? otherNames(input) : otherNames;
  return words === undefined ? {} : { otherNames: words };
}

/** How a write is prepared, sent, and looked up. */
function createSending(
  api: Api,
  write: AnyWrite,
): Pick<Action<ReturnType<typeof buildPayloadSchema>, Reach>, 'prepare' | 'send' | 'lookup'> {
  return {
    async prepare(reach, input, attempt) {
      const asked = createProviderApi(api, reach);
      const found = await write.resolve?.(asked, input);
      const of = { draft: createDraft(attempt), ...found };
      const made = await write.prepare?.(asked, input, of, { isRetry: attempt.isRetry, files: getFiles(input) });
      const known = write.fingerprint && (await listIdsBefore(write.fingerprint, asked, input, of));
      return { ...of, ...made, ...(known && { known }) };
    },
    send: async (reach, input, handle) =>
      omitMissing(await write.send(createProviderApi(api, reach), input, handle as Handle)),
    async lookup(reach, input, handle, others): Promise<Outcome> {
      const outcome = await findOutcome(write, {
        api: createProviderApi(api, reach),
        input,
        of: handle as Handle,
        others,
      }); // made by `prepare`
      return outcome.state === 'confirmed' ? { ...outcome, result: omitMissing(outcome.result) } : outcome;
    },
  };
}

type LookupRequest = { api: ProviderApi; input: Payload; of: Handle; others?: CompetingItems | undefined };

/** The outcome of a write, as the provider reports it. */
async function findOutcome(
  write: AnyWrite,
  { api, input, of, others = { taken: [], seen: [] } }: LookupRequest,
): Promise<Outcome> {
  const { find, state, deletion, fingerprint, lookup, fields } = write;
  if (lookup) return lookup(api, input, of);
  if (find) return judgeCreation(await find(api, input, of));
  if (state) return findStateOutcome(state, fields, api, { input, found: of });
  if (fingerprint) return findOutcomeByFingerprint(fingerprint, api, { input, of, known: of.known ?? [], others });
  if (deletion)
    return judgeCreation((await deletion.read(api, input, of)) === undefined ? deletion.result(input, of) : undefined);
  return { state: 'ambiguous', reason: 'The provider offers no way to check whether this happened.' };
}

/** Missing values are omitted. */
function omitMissing(result: Result): Result {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined && value !== null));
}
