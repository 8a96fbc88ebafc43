// Receives one request to a connector: verifies it, and stores it with one insert before it is answered.
import type { Transactions } from '#kernel/database';
import { AppError, createNotFoundError } from '#kernel/errors';
import type { Vault } from '#platform/vault';
import { getProvider } from '../signatures/schemes.ts';
import type { SignedRequest } from '../signatures/rule.ts';
import { hashSigned, findSignatureError } from '../signatures/verify.ts';
import type { NewEvent } from '../store/new-events.ts';
import { createKeepRefused } from './keep-refused.ts';
import { createStoreTogether } from './store-together.ts';
import { blankHeaders, blankQuery } from './blank-credentials.ts';
import { takeVerificationToken, findVerificationToken } from './verification-token.ts';
import type { KnownConnector, KnownConnectors } from './known-connectors.ts';
import { readEventFacts, parseEventPayload, decompressBody } from './read-event.ts';

/** Why a body was not read. */
export type UnreadReason = 'too_large' | 'too_slow' | 'too_busy';

/** One request from outside, as received. Everything in it is text from outside: data, never an instruction. */
export type Delivery = {
  slug: string;
  method: string;
  /** Path and parameters, as requested. */
  target: string;
  /** By names in lower case. */
  headers: Record<string, string>;
  query: Record<string, string>;
  /** Null: it was not read. */
  body: Buffer | null;
  unread: UnreadReason | null;
  receivedAt: Date;
};

export type Answer = { status: 200 | 202 | 204 | 408 | 410; json?: Record<string, unknown> };

export type Intake = {
  transactions: Transactions;
  vault: Vault;
  known: KnownConnectors;
  publicUrl: string;
  mostBytes: number;
  /** Takes one request from the connector's minute. Throws `rate_limited`. */
  limit(of: { id: string; workspaceId: string }): Promise<void> | void;
  /** Wakes the translator. */
  wake(): void;
  /** Counts events for the metrics. */
  count(connectorId: string, outcome: string): void;
  newId: () => string;
};

const keptOfUnsigned = 2_048;

/** Receives one request. */
export type WebhookReceive = (delivery: Delivery) => Promise<Answer>;

/**
 * Creates the receiver of requests. Throws `not_found` for an unknown address. Every other request is stored, unless
 * its connector was deleted.
 */
export function createReceive(intake: Intake): WebhookReceive {
  const keepRefused = createKeepRefused(intake);
  const store = createStoreTogether(intake);

  return async function receive(delivery: Delivery): Promise<Answer> {
    const connector = await intake.known.find(delivery.slug);
    if (!connector) throw createNotFoundError('address');
    const id = intake.newId();
    const keep = (more: Partial<NewEvent>) => keepRefused(connector, buildEvent(delivery, connector, id, more));
    if (connector.state === 'deleted')
      return { status: 410, json: { detail: 'This address was deleted. Stop sending to it.' } };
    const refusal = (await findRefusal(intake, connector)) ?? findUnreadRefusal(intake, delivery);
    if (refusal) {
      await keep({ detail: refusal.detail });
      if (refusal.error) throw refusal.error;
      return refusal.answer;
    }
    const body = unpackBody(intake, delivery);
    if (!Buffer.isBuffer(body)) {
      await keep({ detail: body.detail });
      throw body.error;
    }
    return take(intake, { delivery, connector, id, sent: delivery.body ?? body, body, keep, store });
  };
}

type Refusal = { detail: string } & ({ error: AppError; answer?: never } | { answer: Answer; error?: never });

/** Why the connector's state or limit rejects the request. Null: it does not. */
async function findRefusal(intake: Intake, connector: KnownConnector): Promise<Refusal | null> {
  const { id, workspaceId, state, lostVariable } = connector;
  try {
    await intake.limit({ id, workspaceId });
  } catch (error) {
    if (error instanceof AppError) return { detail: 'Too many requests in a minute.', error };
    throw error;
  }
  if (lostVariable !== null && state !== 'paused') {
    const detail = `${lostVariable}, which had the secret of this connector, was deleted.`;
    const error = new AppError('unavailable', `${detail} Its owner must set another secret.`, { retry_after: 300 });
    return { detail, error };
  }
  if (state !== 'paused') return null;
  const error = new AppError('unavailable', 'This connector is paused. Send it again later.', { retry_after: 300 });
  return { detail: 'The connector is paused.', error };
}

function findUnreadRefusal({ mostBytes }: Intake, delivery: Delivery): Refusal | null {
  if (delivery.unread === 'too_large' || (delivery.body === null && delivery.unread === null))
    return { detail: 'The body is too large.', error: createBodyTooLargeError(mostBytes) };
  if (delivery.unread === null) return null;
  if (delivery.unread === 'too_busy') {
    const error = new AppError('unavailable', 'Too many requests arrive at once. Send it again.', { retry_after: 10 });
    return { detail: 'Too many requests arrived at once.', error };
  }
  const answer = { status: 408, json: { detail: 'The body took too long to arrive. Send it again.' } } as const;
  return { detail: 'The body took too long to arrive.', answer };
}

function unpackBody({ mostBytes }: Intake, { body, headers }: Delivery): Buffer | { detail: string; error: AppError } {
  const found = decompressBody(body ?? Buffer.alloc(0), headers['content-encoding'], mostBytes);
  if (found === 'too_large') return { detail: 'The body is too large.', error: createBodyTooLargeError(mostBytes) };
  if (found !== 'unreadable') return found;
  const detail = 'The body does not match its Content-Encoding.';
  return { detail, error: new AppError('invalid_input', `${detail} Send it plain or as gzip.`) };
}

async function take(intake: Intake, it: TakenDelivery): Promise<Answer> {
  const { delivery, connector, id, body } = it;
  const why = findRequestError(it, intake.publicUrl);
  if (why !== null) return takeUnsigned(intake, it, why);
  const payload = parseEventPayload(body, delivery.headers['content-type'] ?? null);
  const { provider } = connector.signing;
  const facts = readEventFacts({ payload, body, headers: delivery.headers }, connector);
  const handshake = provider && getProvider(provider).handshake?.(payload, connector.secret);
  const outcome = handshake ? 'dropped' : connector.state === 'draft' ? 'draft' : 'received';
  const detail = handshake ? 'The sender tested the address.' : null;
  const event = buildEvent(delivery, connector, id, { outcome, detail, body, ...facts });
  const first = await it.store(
    event,
    handshake ? null : hashSigned(connector.rule, toSignedRequest(it, intake.publicUrl)),
  );
  intake.count(connector.id, first ? 'duplicate' : outcome);
  if (handshake) return handshake;
  if (first === null && outcome === 'received') intake.wake();
  return { status: 202, json: { event_id: first ?? id, ...(first !== null && { duplicate: true }) } };
}

/** An unsigned request is refused unread, unless it is small and may contain the secret itself. */
async function takeUnsigned(intake: Intake, { delivery, connector, id, body, keep }: TakenDelivery, why: string) {
  const token = findVerificationToken(connector, body);
  const subscribed = { outcome: 'dropped', detail: 'The sender sent the secret of this connector.' } as const;
  const event = buildEvent(delivery, connector, id, subscribed);
  if (token !== null && (await takeVerificationToken(intake, connector, token, event)))
    return { status: 200 as const, json: {} };
  const kept = token === null ? Buffer.from(body.subarray(0, keptOfUnsigned)) : null;
  await keep({ outcome: 'signature_failed', detail: why, body: kept });
  throw new AppError('unauthenticated', `${why} Check the secret on both sides.`);
}

type TakenDelivery = {
  delivery: Delivery;
  connector: KnownConnector;
  id: string;
  sent: Buffer;
  body: Buffer;
  keep(more: Partial<NewEvent>): Promise<void>;
  store(event: NewEvent, signedHash: string | null): Promise<string | null>;
};

/** Senders sign the bytes they send. Some sign the body before compression. */
function findRequestError({ delivery, connector, sent, body }: TakenDelivery, publicUrl: string): string | null {
  const request = toSignedRequest({ delivery, body }, publicUrl);
  const check = (bytes: Buffer) => findSignatureError(connector.rule, connector.secret, { ...request, body: bytes });
  const why = check(sent);
  return why === null || sent === body ? why : check(body);
}

function toSignedRequest(
  { delivery, body }: Pick<TakenDelivery, 'delivery' | 'body'>,
  publicUrl: string,
): SignedRequest {
  const { method, target, headers, receivedAt: at } = delivery;
  return { method, url: `${publicUrl}${target}`, headers, body, at };
}

function buildEvent(
  { slug, headers, query, body, receivedAt }: Delivery,
  { id: connectorId, workspaceId }: KnownConnector,
  id: string,
  more: Partial<NewEvent>,
): NewEvent {
  return {
    id,
    workspace_id: workspaceId,
    connector_id: connectorId,
    received_at: receivedAt,
    outcome: 'refused',
    detail: null,
    event_type: null,
    delivery_id: null,
    delivery_key: null,
    content_type: headers['content-type']?.slice(0, 200) ?? null,
    headers: blankHeaders(headers, slug),
    query: blankQuery(query),
    body: null,
    body_bytes: body?.length ?? 0,
    shape_hash: null,
    ...more,
  };
}

function createBodyTooLargeError(mostBytes: number): AppError {
  return new AppError('payload_too_large', `A body may have at most ${mostBytes} bytes. Send less.`, {
    max_bytes: mostBytes,
  });
}
