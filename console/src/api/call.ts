import type { Call } from '#sdk';
import { ApiError, parseProblem } from './api-error.ts';
import { isOnline } from './online.ts';
import { getProof, isProofNeeded } from './proof.ts';
import { getSessionProofHeader } from './session-proof.ts';
import { getShownWorkspaceHeader } from './shown-workspace.ts';

/**
 * Calls an operation of the server as the signed-in person: the session is a cookie that no script can read, together
 * with its proof. Throws `ApiError`. The server has checked the answer against the operation's schema.
 */
export const call: Call<CallOptions> = (operation, input: object = {}, options: CallOptions = {}) =>
  post(`/v1/tools/${operation}`, input, options);

export type CallOptions = { signal?: AbortSignal };

/** Posts JSON to a path of this server. Retries after the person has confirmed who they are. */
export async function post<Answer>(path: string, body: object, options: CallOptions = {}): Promise<Answer> {
  try {
    return await postOnce(path, body, options);
  } catch (error) {
    if (!isProofNeeded(error) || !(await getProof())) throw error;
    return postOnce(path, body, options);
  }
}

async function postOnce<Answer>(path: string, body: object, { signal }: CallOptions): Promise<Answer> {
  const response = await reach(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(parseProblem(answer, response.status));
  return answer as Answer; // the server checks every answer against the operation's output schema
}

/** Reads a file of this server as text, whatever its type. Throws `ApiError`. */
export async function readText(path: string, { signal }: CallOptions = {}): Promise<string> {
  const response = await reach(path, signal ? { signal } : {});
  if (!response.ok) throw new ApiError(parseProblem(await response.json().catch(() => null), response.status));
  return response.text();
}

const unreached: Record<'offline' | 'unreachable', string> = {
  offline: 'You are offline, so nothing was sent. Try again when you are online.',
  unreachable: 'The server does not answer. Check that it is running, then try again.',
};

async function reach(path: string, init: RequestInit): Promise<Response> {
  // Checked first, because a call that fails later may have reached the server.
  const code = isOnline() ? 'unreachable' : 'offline';
  try {
    return await fetch(path, {
      ...init,
      headers: { ...init.headers, ...getSessionProofHeader(), ...getShownWorkspaceHeader() },
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError({ status: 0, code, detail: unreached[code] }, { cause });
  }
}
