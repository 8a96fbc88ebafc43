// The answer for a caller, and the two ways to read its body.
import { Failure, EgressError } from './egress-error.ts';

/**
 * An answer of any status. `url` is the one that answered, after redirects. Header names are in lower case; several
 * headers of one name are joined by `, `. `body` is already unpacked.
 */
export type EgressResponse = { status: number; url: string; headers: Record<string, string>; body: Uint8Array };

/** The body as text in the charset that the answer names, UTF-8 when it names none or an unknown one. */
export function decodeBodyText(response: Pick<EgressResponse, 'headers' | 'body'>): string {
  const charset = /charset="?([^\s";]+)/i.exec(response.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (charset.toLowerCase() === 'utf-8') return utf8.decode(response.body);
  try {
    return new TextDecoder(charset).decode(response.body);
  } catch {
    return utf8.decode(response.body);
  }
}

/** Made once: making one takes as long as reading a small answer with it. */
const utf8 = new TextDecoder();

/** The body as JSON, still to be parsed by the caller's schema. Throws EgressError when it is not JSON. */
export function parseBodyJson(response: Pick<EgressResponse, 'status' | 'headers' | 'body'>): unknown {
  try {
    return JSON.parse(decodeBodyText(response));
  } catch {
    const failure = new Failure('bad_response', 'The answer is not JSON.', { status: response.status });
    throw new EgressError(failure, 'maybe_sent');
  }
}
