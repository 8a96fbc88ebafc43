import type { z } from 'zod';

/** Whether a request that failed may have reached the other side. */
export type Delivery = 'not_sent' | 'maybe_sent';

/** What is known about an effect: done with its result, surely not done, or not to be known yet. */
export type Outcome =
  | { state: 'confirmed'; result: Record<string, unknown> }
  | { state: 'failed'; error: Record<string, unknown> & { message: string } }
  | { state: 'ambiguous'; reason: string };

/** What a person sees before deciding: everything that will be sent, rendered from the payload itself. */
export type Preview = {
  title: string;
  /** Label and value, in reading order; `text` may hold line breaks. `was`: what stands there until then, where it is changed. */
  fields: { label: string; text: string; was?: string }[];
  /** False when something had to be cut: such a draft cannot be approved. */
  isComplete: boolean;
};

/**
 * By what a provider can be asked afterwards whether an effect happened: an id that we chose and that it keeps; something
 * unsent that it keeps until it is sent; a mark in what was sent; the state that was to be; what it says, among what is
 * new; or nothing, and then a person has to tell.
 */
export const handleKinds = ['chosen_id', 'unsent', 'mark', 'state', 'likeness', 'none'] as const;
export type HandleKind = (typeof handleKinds)[number];

/**
 * What is known of other drafts of the same action, by the ids of `likeness`: `taken` is what they made, and `seen` is what each of them
 * saw before it was sent, which it cannot have made.
 */
export type OfOthers = { taken: readonly unknown[]; seen: readonly (readonly unknown[])[] };

/** What the provider knows of an effect that is only drafted, as it is now. */
export type Known = {
  /** What it touches, in all other ways in which it is called there; each in the words of `target`. */
  names: string[];
  /** Everybody it reaches whom the payload does not name, by what they are to it; null: the provider does not tell all of them. */
  people:
    | { label: string; addresses: string[]; /** One at least, or they are not known. */ isSomebody?: boolean }[]
    | null;
  /** What it touches, as people read it. */
  shown: { label: string; text: string }[];
  /** How what it changes is called there: the title of an issue, the subject of a thread. */
  about?: string;
  /** What stands now in fields that it changes, by their labels. */
  standing?: { label: string; text: string }[];
  /** What it would overwrite or answer to: JSON by names, of which those that are known twice are compared. */
  overwrites: Record<string, unknown>;
};

/** Which draft is being sent, and whether an earlier attempt may have got as far as preparing. */
export type Attempt = { draftId: string; isRetry: boolean };

/**
 * One kind of effect on the outside. `Connection` is what `send` and `lookup` reach the provider with.
 * Sending goes in steps, so that a crash between any two of them can be told apart afterwards: `prepare` obtains a
 * handle the provider keeps (a draft id, a chosen event id) and changes nothing that others can see; the handle is
 * stored before `send` uses it; `lookup` asks the provider by that handle what happened.
 */
export type Action<Payload extends z.ZodObject = z.ZodObject, Connection = unknown> = {
  name: string;
  source: string;
  summary: string;
  /** `destructive`: it deletes something, or changes who has access. */
  risk: 'write' | 'destructive';
  handle: HandleKind;
  /** False: it is one of the safe set, what is seen by nobody else and easily put right; a rule may let all of those go. */
  requiresConfirmation: boolean;
  /** What the account must have been given at the provider; absent: all by which its source acts. */
  scopes?: readonly string[];
  payload: Payload;
  /** Fields as somebody would give them. */
  example: z.input<Payload>;
  editable: readonly (keyof z.output<Payload> & string)[];
  preview(payload: z.output<Payload>): Preview;
  /**
   * What is asked before anybody decides, and once more before it is sent; it changes nothing there. Throws `not_found` or
   * `invalid_input` when sending could but fail, since what it is about is not there: then it is not drafted.
   */
  known?: {
    /** Whether there is something to ask about this payload; absent: always. */
    isAsked?(payload: z.output<Payload>): boolean;
    ask(connection: Connection, payload: z.output<Payload>): Promise<Known>;
  };
  /** Whom or what it touches, for policy and for people. */
  target(payload: z.output<Payload>): {
    recipients: string[];
    what: string;
    /** It reaches people, too, whom the provider alone knows: who wrote the mail that is answered, the guests of an event. */
    reachesOthers?: boolean;
    /** In which words it may be called there besides, with `*` for what the provider alone knows: `channel *`. */
    otherNames?: string;
  };
  /** How many bytes of files go out with it; absent: none. They are brought while it is prepared, which takes longer then. */
  fileBytes?(payload: z.output<Payload>): number;
  prepare(connection: Connection, payload: z.output<Payload>, attempt: Attempt): Promise<Record<string, unknown>>;
  send(
    connection: Connection,
    payload: z.output<Payload>,
    handle: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  /** `others`: what is known of other drafts whose effect could be taken for this one's. */
  lookup(
    connection: Connection,
    payload: z.output<Payload>,
    handle: Record<string, unknown>,
    others?: OfOthers,
  ): Promise<Outcome>;
  /** Of what is found by its likeness alone: what else would be taken for it, and which one a result is about. */
  likeness?: {
    of(payload: z.output<Payload>, handle: Record<string, unknown>): string;
    idOf(result: Record<string, unknown>): unknown;
    /** What was there already just before it was sent, by the same ids. */
    seenBefore(handle: Record<string, unknown>): readonly unknown[];
  };
  /** Takes back what was done, for a while. Doing it twice is the same as once. */
  undo?: {
    /** As a person is asked: “Delete the issue again”. */
    says: string;
    forMinutes: number;
    /** Whether anything was changed by it that can be taken back; absent: always. */
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
   * Takes back what `prepare` left at the provider, once it is settled that nothing was sent; without a handle, when it may have left
   * something of which nobody was told.
   */
  abandon?(connection: Connection, handle: Record<string, unknown> | null, draftId: string): Promise<void>;
};

/** Declares an action; `modules/actions` is the only caller of what it holds. */
export function defineAction<Payload extends z.ZodObject, Connection>(action: Action<Payload, Connection>): Action {
  return action as unknown as Action; // erases the payload's type: stored drafts are parsed by the schema
}

/** Whether a fault says that its request never left. A fault that does not say may have been delivered. */
export function deliveryOf(error: unknown): Delivery {
  return typeof error === 'object' && error !== null && 'delivery' in error && error.delivery === 'not_sent'
    ? 'not_sent'
    : 'maybe_sent';
}
