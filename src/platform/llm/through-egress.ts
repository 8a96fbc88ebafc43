// Makes the libraries' requests use egress, and fail with our own messages.
import { setTimeout as sleep } from 'node:timers/promises';
import { EgressError, type Egress, type EgressRequest } from '#platform/egress';
import { createFailureFromResponse, createFailureFromEgressError, LlmFailure, listModelSecrets } from './failure.ts';
import type { ModelSettings } from './model-settings.ts';

type Options = { timeoutMs: number; isStreamed: boolean };

const maxBytes = 4_000_000;
const attempts = 2;
const firstPauseMs = 500;
/** If the provider asks for a longer pause than this, the call fails at once with the length of the pause. */
const longestPauseMs = 5_000;

/** A `fetch` for one model. A temporary error is retried once. Throws `LlmFailure`. */
export function createEgressFetch(egress: Egress, model: ModelSettings, options: Options): typeof globalThis.fetch {
  return async (input, init) => {
    const request = toEgressRequest(input, init, model, options.timeoutMs);
    for (let made = 1; ; made += 1) {
      try {
        return await (options.isStreamed ? askStreamed : ask)(egress, model, request);
      } catch (error) {
        const failure = error instanceof EgressError ? createFailureFromEgressError(model, error) : error;
        const pause = failure instanceof LlmFailure && failure.isWorthRetrying ? pauseBefore(failure) : Infinity;
        if (made >= attempts || pause > longestPauseMs) throw failure;
        await sleep(pause, undefined, request.signal && { signal: request.signal });
      }
    }
  };
}

function pauseBefore({ details }: LlmFailure): number {
  return Math.max(Number(details['retry_after'] ?? 0) * 1000, firstPauseMs);
}

function toEgressRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  model: ModelSettings,
  timeoutMs: number,
): EgressRequest {
  return {
    method: init?.method ?? 'POST',
    url: input instanceof Request ? input.url : String(input),
    headers: Object.fromEntries(new Headers(init?.headers)),
    ...(typeof init?.body === 'string' && { body: init.body }),
    timeoutMs,
    maxBytes,
    redirects: 'refuse',
    allow: [model.baseUrl],
    secrets: listModelSecrets(model),
    ...(init?.signal && { signal: init.signal }),
  };
}

async function ask(egress: Egress, model: ModelSettings, request: EgressRequest): Promise<Response> {
  const response = await egress.request(request);
  if (response.status >= 400) throw createFailureFromResponse(model, response);
  return new Response(new Uint8Array(response.body), { status: response.status, headers: response.headers });
}

async function askStreamed(egress: Egress, model: ModelSettings, request: EgressRequest): Promise<Response> {
  const { status, headers, body } = await egress.stream(request);
  if (status < 400) return new Response(body, { status, headers });
  const whole = new Uint8Array(await new Response(body).arrayBuffer());
  throw createFailureFromResponse(model, { status, headers, url: request.url, body: whole });
}
