// What a request says: its payload, its type, the sender's own id of it.
import { gunzipSync, inflateSync } from 'node:zlib';
import { storableText } from '#platform/database';
import { fieldAt, isShallow, shapeOf } from '../fields-of-body.ts';
import { placesOf } from '../signatures/schemes.ts';
import type { ProviderName } from '../signatures/providers.ts';

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

/** Which event it is, of which type and shape. */
export function factsOf(payload: unknown, headers: Readonly<Record<string, string>>, provider: ProviderName | null) {
  const { ids, types } = placesOf(provider);
  const first = (places: typeof ids) => {
    for (const place of places) {
      const value = 'header' in place ? headers[place.header] : fieldAt(payload, place.field);
      if ((typeof value === 'string' && value !== '') || typeof value === 'number')
        return storableText(String(value), 300);
    }
    return null;
  };
  return { delivery_id: first(ids), event_type: first(types), shape_hash: shapeOf(payload) };
}
