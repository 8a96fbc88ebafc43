import { payloadOf } from '../intake/read-event.ts';
import type { EventRow, FixtureRow } from '../store/tables.ts';
import type { TranslatorInput } from './translate.ts';

/** The translator's input for an event. */
export function inputOfEvent({ body, content_type, headers, query }: EventRow): TranslatorInput {
  return inputOf(body ?? Buffer.alloc(0), content_type, headers, query);
}

/** The translator's input for a fixture. */
export function inputOfFixture({ raw_body, headers, query }: FixtureRow): TranslatorInput {
  return inputOf(Buffer.from(raw_body), headers['content-type'] ?? null, headers, query);
}

function inputOf(
  body: Buffer,
  contentType: string | null,
  headers: Record<string, string>,
  query: Record<string, string>,
): TranslatorInput {
  return { body: payloadOf(body, contentType), raw_body: body.toString(), headers, query };
}
