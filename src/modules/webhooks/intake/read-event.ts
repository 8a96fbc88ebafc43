// Reads a request: its payload, its type, and the sender's event id.
import { createHash } from 'node:crypto';
import { gunzipSync, inflateSync } from 'node:zlib';
import { isShallow } from '#kernel/parse-json';
import { toStorableText } from '#platform/database';
import { isFormType, readForm } from '#platform/forms';
import { getFieldAt, hashShape } from '../body-fields.ts';
import { getFieldLocations, type SignatureChoice } from '../signatures/schemes.ts';
import { findStandardFamily } from '../signatures/verify.ts';
import type { FieldLocation } from '../signatures/providers.ts';
import type { Rule } from '../signatures/rule.ts';

/** The decompressed bytes of a body. Null: they exceed the limit, or are not in the declared format. */
export function decompressBody(
  body: Buffer,
  encoding: string | undefined,
  mostBytes: number,
): Buffer | 'too_large' | 'unreadable' {
  const how = encoding?.trim().toLowerCase() ?? '';
  if (how === '' || how === 'identity') return body;
  const unpack = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync }[how];
  if (!unpack) return 'unreadable';
  try {
    return unpack(body, { maxOutputLength: mostBytes });
  } catch (error) {
    return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable';
  }
}

/** The payload for the translator: JSON, the fields of a form, or text. */
export function parseEventPayload(body: Buffer, contentType: string | null): unknown {
  const text = body.toString();
  if (isFormType(contentType)) return parseFormFields(text);
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value) ? value : text;
  } catch {
    return text;
  }
}

const mostFields = 1_000;

/** The value of a field is its text, of a repeated field a list. */
function parseFormFields(form: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, values] of Map.groupBy(readForm(form, mostFields).fields, ([each]) => each)) {
    const [first = '', ...others] = values.map(([, value]) => value);
    fields[name] = others.length ? [first, ...others] : first;
  }
  return { ...fields };
}

type SigningRule = { signing: SignatureChoice; rule: Rule };
type Content = { payload: unknown; body: Buffer; headers: Readonly<Record<string, string>> };

/** The id, type and shape of an event. `delivery_key` is the same when the sender repeats it. */
export function readEventFacts({ payload, body, headers }: Content, connector: SigningRule) {
  const { ids, types } = getFieldLocations(connector.signing.provider);
  const at = (place: FieldLocation) => {
    const value = 'header' in place ? headers[place.header] : getFieldAt(payload, place.field);
    const isThere = (typeof value === 'string' && value !== '') || typeof value === 'number';
    return isThere ? toStorableText(String(value), 300) : null;
  };
  const isFound = (place: FieldLocation) => at(place) !== null;
  // Standard Webhooks sign the id, so only the header of the verified variant counts.
  const signed = [{ header: `${findStandardFamily(headers)}-id`, isSigned: true }];
  const idPlace = (connector.rule.kind === 'standard' ? signed : ids).find(isFound);
  const typePlace = types.find(isFound);
  const id = idPlace ? at(idPlace) : null;
  return {
    delivery_id: id,
    delivery_key: id === null || idPlace?.isSigned ? id : `${id} ${hashContent({ payload, body }, connector.rule)}`,
    event_type: typePlace ? at(typePlace) : null,
    shape_hash: hashShape(payload),
  };
}

/** A hash of the body, without the sending time that changes when the sender repeats it. */
function hashContent({ payload, body }: Pick<Content, 'payload' | 'body'>, rule: Rule): string {
  const moment = rule.kind === 'hmac' ? rule.moment?.at : undefined;
  const hash = createHash('sha256');
  if (!moment || !('field' in moment) || typeof payload !== 'object') return hash.update(body).digest('hex');
  return hash.update(JSON.stringify({ ...payload, [moment.field]: undefined })).digest('hex');
}
