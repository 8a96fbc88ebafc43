// The type of a write at a provider: data that describes it, and functions that carry it out.
import type { Action, HandleKind, Outcome } from '#kernel/action';
import type { AttachedFile } from './files.ts';
import type { ProviderApi } from '#providers/http';
import type { Draft } from './draft.ts';
import type { FieldTable } from './fields.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { InputRules } from './payload.ts';
import type { TargetFacts } from './snapshot.ts';
import type { State } from './state.ts';
import type { Undo } from './undo.ts';

/** The result of a write, by name. */
export type Result = Record<string, unknown>;

/**
 * One write. `Input` is the input of its fields, `Fixed` the same without the editable fields. `Found` is what `resolve` found, and `Made`
 * what `prepare` made. Both are JSON, and are stored with the draft until its outcome is known and the time for undo has ended.
 * One of `find`, `state`, `gone`, `fingerprint` and `lookup` finds its outcome later; without any of them a person is asked.
 */
export type Write<Fields extends FieldTable, Editable, Input, Fixed, Found, Made, Item> = Omit<InputRules, 'fields'> & {
  name: string;
  /** Names that clients of other systems use for it. */
  aliases?: Action['aliases'];
  summary: string;
  risk: Action['risk'];
  /** False: it belongs to the safe set. */
  requiresConfirmation?: false;
  /** The provider's scopes that it needs. Absent: all scopes with which its source acts. */
  scopes?: readonly string[];
  fields: Fields;
  /** Example fields, as a caller would pass them. */
  example: Readonly<Record<string, unknown>>;
  editable: readonly Editable[];
  /** Fields that name recipients. */
  recipients?: readonly (keyof Fields & string)[];
  /** It also reaches people whom only the provider knows: `snapshot` names them. */
  reachesOthers?: true;
  /** The title above the preview. */
  title(input: Input): string;
  /** Further content beside the fields. */
  notes?: readonly { label: string; text: string }[];
  /** The target, in the form that policy rules use. */
  target(input: Input): string;
  /**
   * Every form in which the provider may read the target, starting with the target itself; absent: there is one form.
   */
  readings?(input: Input): string[];
  /** Possible other names of the target, with `*` for unknown parts. */
  otherNames?: string | ((input: Input) => string | undefined);
  handle: HandleKind;
  /** Finds the items that the fields name. Throws `not_found` or `invalid_input`: then nothing is drafted. */
  resolve?(api: ProviderApi, input: Input): Promise<Found>;
  /** Whether the input needs a look-up before it is drafted; absent: always. */
  needsSnapshot?(input: Fixed): boolean;
  /** The facts about the target for people and rules. */
  snapshot?(api: ProviderApi, found: Found, input: Fixed): TargetFacts | Promise<TargetFacts>;
  /**
   * Creates something that no other person sees, such as an unsent mail. `isRetry`: an earlier attempt may have created
   * it already.
   */
  prepare?(
    api: ProviderApi,
    input: Input,
    of: Found & { draft: Draft },
    attempt: { isRetry: boolean; files: readonly AttachedFile[] },
  ): Promise<Made>;
  send(api: ProviderApi, input: Input, of: Found & Made & { draft: Draft }): Promise<Result>;
  /** Finds the created item by its id or its mark; undefined: it certainly does not exist. */
  find?(api: ProviderApi, input: Input, of: Found & Made & { draft: Draft }): Promise<Result | undefined>;
  /** Reads the item that the write changes. */
  state?: State<Input, Found & Made, Item>;
  /** Reads the deleted item; undefined: it no longer exists. */
  deletion?: {
    read(api: ProviderApi, input: Input, found: Found): Promise<unknown>;
    result(input: Input, found: Found): Result;
  };
  fingerprint?: Fingerprint<Input, Found & { draft: Draft }, Item>;
  lookup?(api: ProviderApi, input: Input, of: Found & Made & { draft: Draft }): Promise<Outcome>;
  undo?: Undo<Input, Found & Made & { draft: Draft }>;
  /** Removes the prepared item, once it is certain that nothing was sent. Null: it is unknown whether one exists. */
  abandon?(api: ProviderApi, of: (Found & Made) | null, draftId: string): Promise<void>;
};

type Json = Readonly<Record<string, unknown>>;
/** A write whose functions accept the data stored with the draft. */
export type AnyWrite = Write<FieldTable, string, Json, Json, object, object, unknown>;
