// The provider's facts about the target of a write, read before anybody decides: its name there, its recipients, and
// the values that would be overwritten.
import type { Action, TargetSnapshot } from '#kernel/action';
import { AppError } from '#kernel/errors';
import { type Api, createProviderApi, type ProviderApi, type Reach } from '#providers/http';
import { readOverwritten, readPresent, formatPresentValues, readPresentValues } from './compare.ts';
import type { Payload } from './payload.ts';
import type { AnyWrite } from './write.ts';

/** The facts about a target that a write finds. The snapshot is built from them; empty parts are left out. */
export type TargetFacts = {
  /** All names of the target, in the form of `target`. */
  names?: readonly (string | undefined)[];
  /** The name of the target for people, which replaces the value of the field with this label. */
  shown?: readonly { label: string; text: string | undefined }[];
  /** The name of the changed item. */
  about?: string | undefined;
  /** Recipients that the payload does not name; null: the provider does not list all of them. `isSomebody`: at least one. */
  people?: readonly { label: string; addresses: readonly (string | null | undefined)[]; isSomebody?: true }[] | null;
  /** Overwritten values as text, by field name; for writes without `state`. */
  was?: Readonly<Record<string, string>>;
  overwrites?: Readonly<Record<string, unknown>>;
};

/** How the provider is asked; null when there is nothing to ask. */
export function createSnapshot(api: Api, write: AnyWrite): Pick<Action, 'snapshot' | 'needsSnapshot'> {
  if (!write.snapshot && !write.state && !write.deletion) return {};
  return {
    ...(write.needsSnapshot && { needsSnapshot: write.needsSnapshot }),
    async snapshot(reach, payload) {
      const asked = createProviderApi(api, reach as Reach); // built by the module's `reach`
      const found = (await write.resolve?.(asked, payload)) ?? {};
      const facts = await readFacts(write, asked, found, payload);
      const changed = await readChanges(write, asked, found, payload);
      const { was = {}, overwrites = {} } = facts;
      return {
        ...buildSnapshotParts(facts),
        standing: [...formatPresentValues(write.fields, was, payload), ...(changed.standing ?? [])],
        ...(changed.present && { present: changed.present }),
        overwrites: { ...was, ...overwrites, ...changed.overwrites },
        missing: null,
      };
    },
  };
}

/** The provider's snapshot of the target. A missing target is an error of the provider, with its message. */
async function readFacts(write: AnyWrite, api: ProviderApi, found: object, input: Payload): Promise<TargetFacts> {
  try {
    return (await write.snapshot?.(api, found, input)) ?? {};
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError('upstream_failed', error.message, {}, { cause: error });
  }
}

function buildSnapshotParts({
  names = [],
  shown = [],
  about,
  people,
}: TargetFacts): Pick<TargetSnapshot, 'names' | 'shown' | 'about' | 'people'> {
  return {
    names: names.filter((name) => name !== undefined).flatMap(listUuidForms),
    shown: shown.flatMap(({ label, text }) => (text ? [{ label, text }] : [])),
    ...(about && { about }),
    people:
      people?.map(({ addresses, ...group }) => ({
        ...group,
        addresses: addresses.filter((each): each is string => Boolean(each)),
      })) ?? null,
  };
}

/** Some providers write a UUID with dashes, and without dashes in links. */
function listUuidForms(name: string): string[] {
  const plain = name.replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, (uuid) =>
    uuid.replaceAll('-', ''),
  );
  return [...new Set([name, plain])];
}

/** The present values that the input changes; all values of a deleted item. */
async function readChanges(
  { state, deletion, fields, editable }: AnyWrite,
  api: ProviderApi,
  found: object,
  input: Payload,
): Promise<Partial<Pick<TargetSnapshot, 'overwrites' | 'standing' | 'present'>>> {
  if (deletion) return { overwrites: { all: await deletion.read(api, input, found) } };
  const item = await state?.read(api, input, found);
  if (!state || item === undefined) return {};
  const of = { fields, has: state.has ?? {}, item, input };
  return {
    overwrites: { ...readOverwritten(of), ...state.holds?.(item, input, found), ...state.overwrites?.(item, input) },
    standing: readPresentValues(of),
    present: readPresent(of, editable),
  };
}
