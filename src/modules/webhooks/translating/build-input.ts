import { blankSignatures } from '#kernel/signature-headers';
import { parseEventPayload } from '../intake/read-event.ts';
import { listSignatureHeaders } from '../signature-headers.ts';
import type { Db, EventRow, FixtureRow } from '../store/tables.ts';
import type { TranslatorInput } from './translate.ts';

/** The translator's input for an event. */
export async function buildEventInput(db: Db, event: EventRow): Promise<TranslatorInput> {
  const { connector_id, body, content_type } = event;
  return buildInput(body ?? Buffer.alloc(0), content_type, event, await listSignatureHeaders(db, connector_id));
}

/** The translator's input for a fixture. */
export async function buildFixtureInput(db: Db, fixture: FixtureRow): Promise<TranslatorInput> {
  const { connector_id, raw_body, headers } = fixture;
  const type = headers['content-type'] ?? null;
  return buildInput(Buffer.from(raw_body), type, fixture, await listSignatureHeaders(db, connector_id));
}

/** Code by agents gets no signature, because the code could pass it on. */
function buildInput(
  body: Buffer,
  contentType: string | null,
  { headers, query }: Pick<EventRow, 'headers' | 'query'>,
  signed: ReadonlySet<string>,
): TranslatorInput {
  return {
    body: parseEventPayload(body, contentType),
    raw_body: body.toString(),
    headers: blankSignatures(headers, signed),
    query: blankSignatures(query),
  };
}
