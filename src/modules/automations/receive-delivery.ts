// Starts an automation from a request to its address. One insert stores the request before it is answered.
import { createHash, randomBytes } from 'node:crypto';
import type { Transactions } from '#kernel/database';
import { AppError, createNotFoundError } from '#kernel/errors';
import { deepestJson, parseJson } from '#kernel/parse-json';
import { readPresented } from '#platform/database';
import type { Kysely } from 'kysely';
import { queueRun } from './running/queue-run.ts';
import { findAutomation, findByWebhook } from './store/automations.ts';
import { countWaiting, findRunOfSlot, mostWaiting } from './store/runs.ts';

/** One request from outside. No part of it is trusted. */
type Delivery = {
  secret: string;
  receivedAt: Date;
  headers: Record<string, string>;
  query: Record<string, string>;
  body: string;
};

type DeliveryDeps = {
  db: Kysely<unknown>;
  transactions: Transactions;
  /** Takes one call from the automation's minute. Throws `rate_limited`. */
  limit(of: { id: string; workspaceId: string }): Promise<void> | void;
  now: () => Date;
  newId: () => string;
};

/** Headers that identify a repeated delivery. */
const deliveryIds = ['webhook-id', 'svix-id', 'x-github-delivery', 'idempotency-key'];

/** A new secret for an address: 128 random bits. */
export function generateHookSecret(): string {
  return randomBytes(16).toString('base64url');
}

/** The stored hash of the secret. */
export function hashHookSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Creates the receiver of deliveries. Repeated deliveries with the same id start one run. `eventId` is null for a
 * delivery that the automation skips because it is already running.
 */
export function createReceive({ db, transactions, limit, now, newId }: DeliveryDeps) {
  return async function receive(delivery: Delivery): Promise<{ eventId: string | null }> {
    const hash = hashHookSecret(delivery.secret);
    const found = await readPresented(db, hash, (presented) => findByWebhook(presented, hash));
    if (!found) throw createNotFoundError('address');
    const { id, workspace_id: workspaceId } = found;
    await limit({ id, workspaceId });
    return transactions.run(workspaceId, 'write', async (bound) => {
      const automation = await findAutomation(bound, id);
      const isMeant = automation?.webhook_hash === hash && automation.triggers.some(({ kind }) => kind === 'webhook');
      if (!isMeant) throw createNotFoundError('address');
      if (automation.state !== 'active')
        throw new AppError('unavailable', 'This automation is paused. Nothing was stored: send it again later.');
      if ((await countWaiting(bound, id, mostWaiting)) >= mostWaiting)
        throw new AppError('rate_limited', `${mostWaiting} deliveries are already waiting. Send it again later.`, {
          retry_after: 60,
        });
      const slot = buildDeliverySlot(delivery, newId);
      const start = { kind: 'webhook' as const, slot, due: now(), payload: buildTriggerPayload(delivery) };
      const queued = await queueRun({ now, newId }, bound, automation, start);
      return { eventId: queued ?? (await findRunOfSlot(bound, id, slot)) ?? null };
    });
  };
}

function buildDeliverySlot({ headers }: Delivery, newId: () => string): string {
  const name = deliveryIds.find((each) => headers[each]);
  if (!name) return `webhook:${newId()}`;
  return `webhook:${createHash('sha256').update(`${name}:${headers[name]}`).digest('hex')}`;
}

/** The value of `args.trigger.payload`. The database accepts neither NUL nor an incomplete character. */
function buildTriggerPayload({ receivedAt, headers, query, body }: Delivery) {
  const json = tryParseStorableJson(body);
  const payload = { received_at: receivedAt.toISOString(), headers, query, body, ...(json !== undefined && { json }) };
  return toStorableValue(payload, deepestJson + 2);
}

/** Undefined for text that is not JSON, or is nested too deeply. */
function tryParseStorableJson(body: string): unknown {
  try {
    return toStorableValue(parseJson(body), deepestJson);
  } catch {
    return undefined;
  }
}

function toStorableValue(value: unknown, levels: number): unknown {
  if (levels < 0) throw new RangeError('too deeply nested');
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD');
  if (Array.isArray(value)) return value.map((each) => toStorableValue(each, levels - 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [toStorableValue(name, levels), toStorableValue(each, levels - 1)]),
  );
}
