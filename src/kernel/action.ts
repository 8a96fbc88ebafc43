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
  /** Label and value, in reading order; `text` may hold line breaks. */
  fields: { label: string; text: string }[];
  /** False when something had to be cut: such a draft cannot be approved. */
  isComplete: boolean;
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
  payload: Payload;
  editable: readonly (keyof z.output<Payload> & string)[];
  preview(payload: z.output<Payload>): Preview;
  /** Whom or what it touches, for policy and for people. */
  target(payload: z.output<Payload>): { recipients: string[]; what: string };
  prepare(connection: Connection, payload: z.output<Payload>, attempt: Attempt): Promise<Record<string, unknown>>;
  send(
    connection: Connection,
    payload: z.output<Payload>,
    handle: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  lookup(connection: Connection, payload: z.output<Payload>, handle: Record<string, unknown>): Promise<Outcome>;
  /** Takes back what `prepare` left at the provider, once it is settled that nothing was sent. */
  abandon?(connection: Connection, handle: Record<string, unknown>): Promise<void>;
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
