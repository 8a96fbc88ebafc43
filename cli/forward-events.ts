// Forwards the events of a webhook connector to a program on this machine.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Output } from '#sdk';
import { callOperation } from './client.ts';
import { NoServerError, ServerError } from './failure.ts';
import { toPrintable } from './output.ts';
import type { Profile } from './profile.ts';

type Event = Output<'list_webhook_events'>['events'][number];
type Options = { target: URL; since: string | undefined; count: number | undefined; signal: AbortSignal };
/** The position up to which a connector's events were read. Without `since` none were read. */
type Position = { since: string | undefined; seen: Set<string> };

const lookMs = 500;
const answerWithinMs = 15_000;
const longestWaitMs = 30_000;
const page = 200;

/**
 * Forwards events until the signal aborts or `count` events were forwarded. When the server stops answering, retries
 * until it answers; a server that does not answer at the start is an error.
 */
export async function forwardEvents(profile: Profile, connectorId: string, options: Options): Promise<void> {
  const { target, since, count = Infinity, signal } = options;
  let forwarded = 0;
  try {
    const position = await findFirstPosition(profile, connectorId, since);
    note(`Forwarding events to ${target.href}. Press Ctrl-C to stop.`);
    while (forwarded < count) {
      for (const event of await retryUntilAnswered(() => listNewEvents(profile, connectorId, position), signal)) {
        position.seen.add(event.webhook_event_id);
        if (isRefused(event) || forwarded >= count) continue;
        const line = await forward(
          await retryUntilAnswered(() => getWholeEvent(profile, event), signal),
          target,
          signal,
        );
        process.stdout.write(`${line}\n`);
        forwarded += 1;
      }
      if (forwarded < count) await sleep(lookMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  note(`Stopped after ${forwarded} ${forwarded === 1 ? 'event' : 'events'}.`);
}

/** The position after the newest event, by the server's clock, or at `since`. */
async function findFirstPosition(profile: Profile, connectorId: string, since: string | undefined): Promise<Position> {
  const position: Position = { since, seen: new Set() };
  const { events } = await list(profile, connectorId, position, 0);
  if (since !== undefined) return position;
  return { since: events[0]?.received_at, seen: new Set(events.map(({ webhook_event_id }) => webhook_event_id)) };
}

function list(profile: Profile, webhook_connector_id: string, { since }: Position, offset: number) {
  const input = { webhook_connector_id, ...(since !== undefined && { since }), limit: page, offset };
  return callOperation(profile, 'list_webhook_events', input);
}

/** Events after the position, oldest first. */
async function listNewEvents(profile: Profile, connectorId: string, position: Position): Promise<Event[]> {
  const found: Event[] = [];
  for (let offset = 0; ; offset += page) {
    const { events, has_more } = await list(profile, connectorId, position, offset);
    const fresh = events.filter(({ webhook_event_id }) => !position.seen.has(webhook_event_id));
    found.push(...fresh);
    if (!has_more || !fresh.length) return found.toReversed();
  }
}

/** Repeats work, with growing pauses, as long as the server does not answer. */
async function retryUntilAnswered<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waitMs = lookMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      const result = await work();
      if (waitMs > lookMs) note('The server answers again.');
      return result;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      if (waitMs === lookMs) note('The server does not answer. Retrying…');
      await sleep(waitMs, undefined, { signal });
    }
  }
}

const temporary = ['unavailable', 'rate_limited', 'upstream_failed', 'internal'];

function isTemporary(error: unknown): boolean {
  if (error instanceof ServerError) return temporary.includes(error.code);
  return error instanceof NoServerError || error instanceof TypeError; // fetch: the answer was cut
}

/** Events that the server refused are not forwarded. */
function isRefused({ outcome, body_bytes }: Event): boolean {
  return ['signature_failed', 'refused', 'duplicate'].includes(outcome) || body_bytes === 0;
}

function getWholeEvent(profile: Profile, { webhook_event_id }: Event) {
  return callOperation(profile, 'get_webhook_event', { webhook_event_id });
}

type WholeEvent = Output<'get_webhook_event'>;

/** Posts an event as it was received, with credentials removed. Returns a line with the result. */
async function forward(event: WholeEvent, target: URL, ended: AbortSignal): Promise<string> {
  const { webhook_event_id, event_type, raw_body, raw_body_encoding, headers: received, query } = event;
  const own = Object.entries(received).filter(
    ([name]) => !/^(content-length|content-encoding|accept-encoding)$/.test(name),
  );
  const url = new URL(target);
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  const what = toPrintable([event_type ?? 'event', webhook_event_id].join(' '));
  if (raw_body === null) return `not forwarded  ${what}: the server no longer has its body`;
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { ...Object.fromEntries(own), 'x-thalamus-event-id': webhook_event_id },
      body: Buffer.from(raw_body, raw_body_encoding),
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(answerWithinMs), ended]),
    });
    return `${status}  ${what}`;
  } catch (error) {
    ended.throwIfAborted();
    return `not delivered  ${what}: ${describeFailure(error, target)}`;
  }
}

function describeFailure(error: unknown, { host }: URL): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } }; // fetch throws errors
  if (name === 'TimeoutError') return `${host} did not answer within ${answerWithinMs / 1_000} seconds`;
  return cause?.code === 'ECONNREFUSED' ? `no program listens at ${host}` : `${host} cut the connection`;
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
