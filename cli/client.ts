import { ServerFault, UsageFault } from './failure.ts';
import type { Profile } from './profile.ts';

/** Ends waiting for an answer when `signal` says so. */
type CallOptions = { idempotencyKey?: string; signal?: AbortSignal };

/** Calls one operation. Throws `ServerFault` with the server's own words when it refuses. */
export async function callOperation(
  profile: Profile,
  operation: string,
  input: Record<string, unknown>,
  { idempotencyKey, signal }: CallOptions = {},
): Promise<Record<string, unknown>> {
  const response = await reach(`${profile.url}/v1/tools/${encodeURIComponent(operation)}`, {
    method: 'POST',
    headers: {
      'user-agent': 'thalamus-cli',
      authorization: `Bearer ${profile.key}`,
      'content-type': 'application/json',
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(input),
    ...(signal && { signal }),
  });
  const body = (await response.json().catch(() => {
    signal?.throwIfAborted();
    return {};
  })) as Record<string, unknown>; // either an answer or a problem
  if (response.ok) return body;
  throw new ServerFault(
    String(body['code'] ?? response.status),
    String(body['detail'] ?? response.statusText),
    body['details'],
  );
}

/** A request to the server. When none answers, the message says how to start one. */
export async function reach(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw new UsageFault(
      `No server answers at ${new URL(url).origin}. Start one with \`npm start\`, or name another by THALAMUS_URL or \`login --url\`.`,
      {
        cause,
      },
    );
  }
}
