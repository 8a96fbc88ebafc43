// The form of a write at a provider: what is said of it as data, and what it does as functions.
import type { Action, HandleKind, Outcome } from '#kernel/action';
import type { Attached } from './files.ts';
import type { ProviderApi } from './api.ts';
import type { Draft } from './draft.ts';
import type { FieldTable } from './fields.ts';
import type { Likeness } from './likeness.ts';
import type { Taken } from './payload.ts';
import type { Snapshot } from './snapshot.ts';
import type { State } from './state.ts';
import type { Undo } from './undo.ts';

/** What is told of something done, by names. */
export type Result = Record<string, unknown>;

/**
 * One write. `Input` is what its fields take, `Fixed` the same without what may be edited. `Found` is what `resolve` found, and `Made`
 * what `make` made: both are JSON, and kept with the draft until it is settled, and for as long as the write can be taken back.
 * One of `find`, `state`, `gone`, `likeness` and `lookup` tells afterwards what became of it; without any a person is asked.
 */
export type Write<Fields extends FieldTable, Editable, Input, Fixed, Found, Made, Item> = Omit<Taken, 'fields'> & {
  name: string;
  summary: string;
  risk: Action['risk'];
  /** False: it belongs to the safe set. */
  requiresConfirmation?: false;
  /** Which of the provider's scopes it needs. Absent: all by which its source acts. */
  scopes?: readonly string[];
  fields: Fields;
  /** Fields as somebody would give them. */
  example: Readonly<Record<string, unknown>>;
  editable: readonly Editable[];
  /** Fields that name people whom it goes to. */
  recipients?: readonly (keyof Fields & string)[];
  /** It reaches people, too, whom only the provider knows: `snapshot` tells them. */
  reachesOthers?: true;
  /** Above the preview. */
  title(input: Input): string;
  /** What is sent besides the fields. */
  notes?: readonly { label: string; text: string }[];
  /** What it touches, in the words by which rules of the policy know it. */
  target(input: Input): string;
  /** In which words the same may be called there, with `*` for what only the provider knows. */
  otherNames?: string | ((input: Input) => string | undefined);
  handle: HandleKind;
  /** Finds what the fields name. Throws `not_found` or `invalid_input`: then it is not drafted. */
  resolve?(api: ProviderApi, input: Input): Promise<Found>;
  /** Whether the input names anything that the provider is asked about when it is drafted; absent: always. */
  isAsked?(input: Fixed): boolean;
  /** What people and rules are told about what was found. */
  snapshot?(api: ProviderApi, found: Found, input: Fixed): Snapshot | Promise<Snapshot>;
  /** Makes what nobody else sees yet, such as an unsent mail. `isRetry`: an earlier attempt may have made it already. */
  make?(
    api: ProviderApi,
    input: Input,
    of: Found & { draft: Draft },
    attempt: { isRetry: boolean; files: readonly Attached[] },
  ): Promise<Made>;
  send(api: ProviderApi, input: Input, of: Found & Made & { draft: Draft }): Promise<Result>;
  /** Finds what was made by the id or the mark that it was given; undefined: it is surely not there. */
  find?(api: ProviderApi, input: Input, of: Found & Made & { draft: Draft }): Promise<Result | undefined>;
  /** Reads what was to be changed. */
  state?: State<Input, Found & Made, Item>;
  /** Reads what was to be deleted; undefined: it is gone. */
  gone?: {
    read(api: ProviderApi, input: Input, found: Found): Promise<unknown>;
    result(input: Input, found: Found): Result;
  };
  likeness?: Likeness<Input, Found & { draft: Draft }, Item>;
  lookup?(api: ProviderApi, input: Input, of: Found & Made & { draft: Draft }): Promise<Outcome>;
  undo?: Undo<Input, Found & Made & { draft: Draft }>;
  /** Removes what `make` made, once it is settled that nothing was sent. Null: nobody was told whether anything was made. */
  abandon?(api: ProviderApi, of: (Found & Made) | null, draftId: string): Promise<void>;
};

type Json = Readonly<Record<string, unknown>>;
/** A write whose functions take whatever is stored of it. */
export type AnyWrite = Write<FieldTable, string, Json, Json, object, object, unknown>;
