// Events as operations return them.
import { mayActAsPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { blankSignatures } from '#kernel/signature-headers';
import { z } from 'zod';
import { outcomes } from './outcomes.ts';
import { listSignatureHeaders } from './signature-headers.ts';
import type { EventSummary } from './store/events.ts';
import type { EventRow } from './store/tables.ts';

export const eventOutput = z.object({
  webhook_event_id: z.uuid(),
  received_at: z.iso.datetime(),
  outcome: z.enum(outcomes),
  detail: z.string().nullable().describe('Why, in words.'),
  event_type: z.string().nullable(),
  delivery_id: z.string().nullable().describe('The sender’s own id of it.'),
  duplicate_of: z.uuid().nullable(),
  body_bytes: z.number().int(),
  documents: z.number().int().describe('How many were stored.'),
  replays: z.number().int(),
  counted: z.number().int().describe('More than 1: this row counts the requests of a minute.'),
  finished_at: z.iso.datetime().nullable(),
  duration_ms: z.number().int().nullable().describe('How long the translator ran.'),
});

export function presentEvent(event: EventSummary | EventRow): z.input<typeof eventOutput> {
  const { id, received_at, outcome, detail, event_type, delivery_id, duplicate_of, body_bytes } = event;
  const { documents, replays, counted, finished_at, duration_ms } = event;
  return {
    webhook_event_id: id,
    received_at: received_at.toISOString(),
    outcome,
    detail,
    event_type,
    delivery_id,
    duplicate_of,
    body_bytes,
    documents: (documents ?? []).filter(({ error }) => error === null).length,
    replays,
    counted,
    finished_at: finished_at?.toISOString() ?? null,
    duration_ms,
  };
}

type Fields = Pick<EventRow, 'headers' | 'query'>;

/**
 * Shows headers and parameters of a connector's events, with signatures only for a person and a person's own script.
 */
export async function createFieldFilter({ caller, db }: Context, connectorId: string): Promise<(of: Fields) => Fields> {
  if (mayActAsPerson(caller)) return ({ headers, query }) => ({ headers, query });
  const signed = await listSignatureHeaders(db, connectorId);
  return ({ headers, query }) => ({ headers: blankSignatures(headers, signed), query: blankSignatures(query) });
}

/** A truncated body, without an incomplete last character. */
export function trimToWholeCharacters(body: Buffer): Buffer {
  let end = body.length;
  while (end > Math.max(1, body.length - 3) && ((body[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return body.subarray(0, (body[end - 1] ?? 0) >= 0xc0 ? end - 1 : body.length);
}

/** A body as text, or in base64 when it is not text. */
export function presentBody(body: Buffer | null): { raw_body: string | null; raw_body_encoding: 'utf8' | 'base64' } {
  if (body === null) return { raw_body: null, raw_body_encoding: 'utf8' };
  const text = body.toString();
  const isText = !text.includes('\uFFFD') || Buffer.from(text).equals(body);
  return isText
    ? { raw_body: text, raw_body_encoding: 'utf8' }
    : { raw_body: body.toString('base64'), raw_body_encoding: 'base64' };
}
