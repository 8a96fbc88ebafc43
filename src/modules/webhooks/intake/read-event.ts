// What a request says: its payload, its type, the sender's own id of it.
import { gunzipSync, inflateSync } from 'node:zlib';
import { storableText } from '#platform/database';
import { fieldAt, isShallow, shapeOf } from '../fields-of-body.ts';
import { placesOf, type Signing } from '../signatures/schemes.ts';
import { standardFamily } from '../signatures/verify.ts';
import type { Place } from '../signatures/providers.ts';
import type { Rule } from '../signatures/rule.ts';

/** The bytes of a body as they were before packing; null: they are more than that, or not what they are said to be. */
export function unpacked(
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

/** The payload as code finds it: JSON, the fields of a form, or text. */
export function payloadOf(body: Buffer, contentType: string | null): unknown {
  const text = body.toString();
  if (/^application\/x-www-form-urlencoded/i.test(contentType ?? '')) return fieldsOf(text);
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value) ? value : text;
  } catch {
    return text;
  }
}

const mostFields = 1_000;

/** A field that comes once is its text, one that comes several times a list. */
function fieldsOf(form: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  const params = [...new URLSearchParams(form)].slice(0, mostFields);
  for (const [name, value] of params) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return { ...fields };
}

type Signed = { signing: Signing; rule: Rule };

/** Which event it is, of which type and shape. */
export function factsOf(payload: unknown, headers: Readonly<Record<string, string>>, connector: Signed) {
  const { ids, types } = placesOf(connector.signing.provider);
  const first = (places: readonly Place[]) => {
    for (const place of places) {
      const value = 'header' in place ? headers[place.header] : fieldAt(payload, place.field);
      if ((typeof value === 'string' && value !== '') || typeof value === 'number')
        return storableText(String(value), 300);
    }
    return null;
  };
  // Standard Webhooks sign the id, so that only the header of the verified family is believed.
  const signed = connector.rule.kind === 'standard' ? [{ header: `${standardFamily(headers)}-id` }] : ids;
  return { delivery_id: first(signed), event_type: first(types), shape_hash: shapeOf(payload) };
}
