import { getErrorType, withSpan, noteOutcome, SpanKind } from '#platform/telemetry';

/** `outcome` is the class of the status, such as `2xx`, or the kind of the failure. */
export type OnEnded = (outcome: string, seconds: number) => void;

type CallAddress = { method: string; url: string };

/**
 * Counts, times and traces one call with all its redirects. Leaves out paths and queries, because they can contain
 * secrets.
 */
export async function observeCall<Answer extends { status: number }>(
  { method, url }: CallAddress,
  onEnded: OnEnded,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const begun = performance.now();
  let outcome = 'failed';
  try {
    const answer = await withSpan(describeCall(method, url), async (span) => {
      const answered = await send();
      span.setAttribute('http.response.status_code', answered.status);
      if (answered.status >= 400) noteOutcome(span, String(answered.status), false);
      return answered;
    });
    outcome = `${Math.floor(answer.status / 100)}xx`;
    return answer;
  } catch (error) {
    outcome = getErrorType(error);
    throw error;
  } finally {
    onEnded(outcome, (performance.now() - begun) / 1_000);
  }
}

function describeCall(given: string, url: string) {
  const method = given.toUpperCase();
  const target = URL.parse(url);
  const attributes = {
    'http.request.method': /^[A-Z]{1,20}$/.test(method) ? method : '_OTHER',
    ...(target && {
      'server.address': target.hostname,
      'server.port': Number(target.port) || (target.protocol === 'http:' ? 80 : 443),
      'url.full': `${target.origin}/REDACTED`,
    }),
  };
  return { name: attributes['http.request.method'], kind: SpanKind.CLIENT, attributes };
}
