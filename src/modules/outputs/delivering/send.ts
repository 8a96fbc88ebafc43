// One request to a destination: signed, within 15 s, without following redirects.
import type { Db } from '#kernel/database';
import { openAllowedVariables } from '#modules/variables';
import { EgressError, retryAfterMs, type Egress, type Handle } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { DestinationRow } from '../store/tables.ts';
import { buildSignedHeaders } from './sign.ts';

const timeoutMs = 15_000;

/** A destination's address, headers and secrets, decrypted. */
export type SendTarget = { url: string; headers: Record<string, string>; handles: Handle[]; secrets: string[] };

/** Decrypts sealed values. */
export async function openDestination(
  vault: Vault,
  db: Db,
  destination: DestinationRow,
  at: Date,
): Promise<SendTarget> {
  const { id: row, workspace_id: workspaceId, url, headers, variables, previous_until: until } = destination;
  const open = (column: 'secret' | 'previous_secret', sealed: string) =>
    vault.open(db, { workspaceId, table: 'output_destinations', row, column }, sealed);
  const previous = until && until > at ? destination.previous_secret : null;
  const secrets: string[] = [];
  if (destination.secret !== null) secrets.push(await open('secret', destination.secret));
  if (previous !== null) secrets.push(await open('previous_secret', previous));
  return { url, headers, secrets, handles: variables.length ? await openAllowedVariables(vault, db, variables) : [] };
}

/** The outcome of a request. `isGone`: the receiver answered 410 and wants no further deliveries. */
export type SendOutcome = {
  httpStatus: number | null;
  error: string | null;
  isGone: boolean;
  retryAfterMs: number | null;
  durationMs: number;
};

type Message = { id: string; contentType: string; body: Buffer };

/** Sends a message. Errors of the receiver are returned, not thrown. */
export async function sendMessage(
  egress: Egress,
  to: SendTarget,
  { id, contentType, body }: Message,
  at: Date,
): Promise<SendOutcome> {
  const begun = performance.now();
  const spent = () => Math.round(performance.now() - begun);
  const failed = { isGone: false, retryAfterMs: null };
  try {
    const { status, headers } = await egress.request({
      method: 'POST',
      url: to.url,
      headers: { ...to.headers, 'content-type': contentType, ...buildSignedHeaders(id, at, body, to.secrets) },
      body,
      timeoutMs,
      redirects: 'refuse',
      maxBytes: 100_000,
      handles: to.handles,
      handleHeaders: Object.keys(to.headers), // the sender of the event chose the body and its type
      secrets: to.secrets,
    });
    const isDone = status >= 200 && status < 300;
    const after = headers['retry-after'];
    return {
      httpStatus: status,
      error: isDone ? null : `The receiver answered ${status}.`,
      isGone: status === 410,
      retryAfterMs: isDone || after === undefined ? null : retryAfterMs(after, at),
      durationMs: spent(),
    };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { httpStatus: null, error: error.message.slice(0, 500), ...failed, durationMs: spent() };
  }
}
