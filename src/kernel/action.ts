import type { z } from 'zod';
import type { Db } from './database.ts';

/** Whether a failed request may have reached the provider. */
export type Delivery = 'not_sent' | 'maybe_sent';

/** The known outcome of an effect: done with its result, certainly not done, or unknown. */
export type Outcome =
  | { state: 'confirmed'; result: Record<string, unknown> }
  | { state: 'failed'; error: Record<string, unknown> & { message: string } }
  | { state: 'ambiguous'; reason: string };

/** The text that a person sees before deciding: everything that will be sent, rendered from the payload itself. */
export type Preview = {
  title: string;
  /**
   * Label and value, in reading order; `text` may have line breaks. `was`: the present value of a field that changes.
   */
  fields: { label: string; text: string; was?: string }[];
  /** False when the preview does not show everything: such a draft cannot be approved from it. */
  isComplete: boolean;
  /** True: only the console's approval page shows the rest, and the draft can be approved only there. */
  isCompletedAtConsole?: boolean;
};

/**
 * How the provider can be asked afterwards whether an effect happened: by an id that we chose; by an unsent item that
 * the provider stores until it is sent; by a mark in the sent content; by the requested state; or by similar new
 * content. With `none` a person has to check.
 */
export const handleKinds = ['chosen_id', 'unsent', 'mark', 'state', 'fingerprint', 'none'] as const;
export type HandleKind = (typeof handleKinds)[number];

/**
 * Ids of provider items that belong to competing drafts of the same action. `taken`: items that those drafts created.
 * `seen`: per draft, the items that existed before it was sent, so it did not create them.
 */
export type CompetingItems = { taken: readonly unknown[]; seen: readonly (readonly unknown[])[] };

/**
 * What the provider says about the target of a draft, read before anybody decides and again before sending. The gate
 * stores it with the draft, with hashes in place of overwritten content.
 */
export type TargetSnapshot = {
  /** Other names of the target at the provider, each in the form of `target`. */
  names: string[];
  /** Recipients that the payload does not name, by their role; null: the provider does not list all of them. */
  people:
    | {
        label: string;
        addresses: string[];
        /** At least one recipient, or the recipients are unknown. */ isSomebody?: boolean;
      }[]
    | null;
  /** The target, as people read it. */
  shown: { label: string; text: string }[];
  /** The provider's name of the changed item: the title of an issue, the subject of a thread. */
  about?: string;
  /** The present values of the fields that change, by their labels. */
  standing?: { label: string; text: string }[];
  /** The present values of editable fields that do not change, by field name. */
  present?: Record<string, string>;
  /**
   * The present content that the effect would overwrite or reply to: JSON by name. Names that both snapshots have are
   * compared.
   */
  overwrites: Record<string, unknown>;
  /** Why the target could not be looked up; null: it was. */
  missing: string | null;
};

/** Which draft is being sent, and whether an earlier attempt may have started preparing. */
export type Attempt = { draftId: string; isRetry: boolean };

/** Another name of an action, and by other names of fields ours: `{comment: 'body'}`. */
export type ActionAlias = { name: string; fields?: Readonly<Record<string, string>> };

/**
 * One kind of effect outside. `send` and `lookup` reach the provider through `Connection`. Sending has steps, so that a
 * crash between two of them can be located: `prepare` obtains a handle that the provider keeps (a draft id, a chosen
 * event id) and changes nothing visible. The handle is stored before `send` uses it. `lookup` asks the provider by that
 * handle what happened.
 */
export type Action<Payload extends z.ZodObject = z.ZodObject, Connection = unknown> = {
  name: string;
  source: string;
  /** Names that clients of other systems use for it; absent: none. */
  aliases?: readonly ActionAlias[];
  summary: string;
  /** `destructive`: it deletes something, or changes who has access. */
  risk: 'write' | 'destructive';
  handle: HandleKind;
  /** False: the action is in the safe set, visible to nobody else and easy to undo. A rule may allow the whole set. */
  requiresConfirmation: boolean;
  /** The scopes that the account needs at the provider; absent: all scopes of its source for acting. */
  scopes?: readonly string[];
  payload: Payload;
  /** Example fields, as a caller would pass them. */
  example: z.input<Payload>;
  editable: readonly (keyof z.output<Payload> & string)[];
  preview(payload: z.output<Payload>): Preview;
  /**
   * Reads the target before anybody decides, and again before sending. Changes nothing. Throws `not_found` or
   * `invalid_input` when sending would certainly fail; the action is then not drafted.
   */
  snapshot?(connection: Connection, payload: z.output<Payload>): Promise<TargetSnapshot>;
  /** Whether this payload needs a snapshot; absent: always. */
  needsSnapshot?(payload: z.output<Payload>): boolean;
  /** The recipients and the target, for policy and for people. */
  target(payload: z.output<Payload>): {
    recipients: string[];
    what: string;
    /**
     * The effect also reaches people whom only the provider knows: the author of an answered mail, the guests of an
     * event.
     */
    reachesOthers?: boolean;
    /**
     * Every form in which the provider may read `what`, starting with `what` itself; absent: there is one form. Rules
     * check each form.
     */
    readings?: string[];
    /** Possible further names of the target, with `*` for unknown parts: `channel *`. */
    otherNames?: string;
  };
  /**
   * The payload as it will be sent, with the values of secrets where the target depends on them. Only for rules: it is
   * neither stored nor shown. The module's `actions.fill` provides it.
   */
  fill?(db: Db, payload: Record<string, unknown>): Promise<Record<string, unknown>>;
  /**
   * Why data of this server no longer allows the payload; checked at approval and before sending. Null: it is still
   * allowed. Absent: the payload depends on no such data.
   */
  outdated?(db: Db, payload: z.output<Payload>): Promise<string | null>;
  /**
   * The action of one payload, where the payload decides which fields, which risk and which target it has. It keeps source
   * and name. Absent: itself.
   */
  specialize?(payload: Record<string, unknown>): Action;
  /** The payload with new values for editable fields; absent: they are fields of the payload. */
  applyEdits?(payload: Record<string, unknown>, edits: Record<string, unknown>): Record<string, unknown>;
  /** The bytes of files that are sent; absent: none. With files, `prepare` uploads them and takes longer. */
  fileBytes?(payload: z.output<Payload>): number;
  prepare(connection: Connection, payload: z.output<Payload>, attempt: Attempt): Promise<Record<string, unknown>>;
  send(
    connection: Connection,
    payload: z.output<Payload>,
    handle: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  /** `others`: other drafts whose effect could be mistaken for the effect of this draft. */
  lookup(
    connection: Connection,
    payload: z.output<Payload>,
    handle: Record<string, unknown>,
    others?: CompetingItems,
  ): Promise<Outcome>;
  /** For outcomes that are found by similar content only: the ids of similar items, and the id in a result. */
  fingerprint?: {
    of(payload: z.output<Payload>, handle: Record<string, unknown>): string;
    getId(result: Record<string, unknown>): unknown;
    /** The similar items that existed just before sending, by the same ids. */
    seenBefore(handle: Record<string, unknown>): readonly unknown[];
  };
  /** Undoes the effect for a limited time. Undoing twice has the same effect as undoing once. */
  undo?: {
    /** The question to a person: “Delete the issue”. */
    says: string;
    forMinutes: number;
    /** Whether the effect changed anything that can be undone; absent: always. */
    applies?(
      payload: z.output<Payload>,
      done: { handle: Record<string, unknown>; result: Record<string, unknown> },
    ): boolean;
    run(
      connection: Connection,
      payload: z.output<Payload>,
      done: { handle: Record<string, unknown>; result: Record<string, unknown> },
    ): Promise<void>;
  };
  /**
   * Removes what `prepare` left at the provider, once it is certain that nothing was sent. Without a handle, it removes
   * items that `prepare` may have left without returning a handle.
   */
  abandon?(connection: Connection, handle: Record<string, unknown> | null, draftId: string): Promise<void>;
};

/** Declares an action; only `modules/actions` calls its functions. */
export function defineAction<Payload extends z.ZodObject, Connection>(action: Action<Payload, Connection>): Action {
  return action as unknown as Action; // erases the payload's type: stored drafts are parsed by the schema
}

/** Whether an error proves that the request was never sent. After any other error it may have been delivered. */
export function classifyDelivery(error: unknown): Delivery {
  return typeof error === 'object' && error !== null && 'delivery' in error && error.delivery === 'not_sent'
    ? 'not_sent'
    : 'maybe_sent';
}
