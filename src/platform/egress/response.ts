// The answer for a caller, and the two ways to read its body.
import { Failure, EgressError } from './egress-error.ts';

/**
 * An answer of any status. `url` is the URL that answered, after redirects. Header names are in lower case; several
 * headers with one name are joined by `, `. `body` is already unpacked.
 */
export type EgressResponse = { status: number; url: string; headers: Record<string, string>; body: Uint8Array };

/** The body as text in the charset of the answer, or UTF-8 when the charset is missing or unknown. */
export function decodeBodyText(response: Pick<EgressResponse, 'headers' | 'body'>): string {
  const charset = /charset="?([^\s";]+)/i.exec(response.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (charset.toLowerCase() === 'utf-8') return utf8.decode(response.body);
  try {
    return new TextDecoder(charset).decode(response.body);
  } catch {
    return utf8.decode(response.body);
  }
}

/** Created once: creating a decoder takes as long as reading a small answer with it. */
const utf8 = new TextDecoder();

/** The body as JSON, which the caller's schema must still parse. Throws EgressError when it is not JSON. */
export function parseBodyJson(response: Pick<EgressResponse, 'status' | 'headers' | 'body'>): unknown {
  try {
    return JSON.parse(decodeBodyText(response));
  } catch {
    const failure = new Failure('bad_response', 'The answer is not JSON.', { status: response.status });
    throw new EgressError(failure, 'maybe_sent');
  }
}
