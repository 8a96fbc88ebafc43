import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Output } from '#sdk';
import { callOperation } from '../client.ts';
import { UsageFault } from '../failure.ts';
import { printable, printAnswer } from '../output.ts';
import { readProfile, type Profile } from '../profile.ts';

type Json = { json?: boolean };
type Event = Output<'list_webhook_events'>['events'][number];
type Listening = { to: string; since?: string; count?: number };

const lookMs = 1_000;
const answerWithinMs = 15_000;

/** `thalamus webhooks`: lists connectors and events, and forwards events to a program on this machine. */
export function addWebhooksCommand(program: Command): void {
  const webhooks = program.command('webhooks').description('Connectors that receive webhooks.');
  webhooks
    .command('list')
    .description('Connectors with their state and address.')
    .option('--json', 'print JSON')
    .action(async (options: Json) =>
      printAnswer(await callOperation(readProfile(), 'list_webhook_connectors', {}), options),
    );
  webhooks
    .command('events <connector_id>')
    .description('What a connector received, newest first.')
    .option('--json', 'print JSON')
    .action(async (webhook_connector_id: string, options: Json) =>
      printAnswer(await callOperation(readProfile(), 'list_webhook_events', { webhook_connector_id }), options),
    );
  webhooks
    .command('listen <connector_id>')
    .description('Forward each event that a connector receives to an address of this machine, until you press Ctrl-C.')
    .requiredOption('--to <url>', 'such as http://localhost:3000/hook')
    .option('--since <time>', 'begin with the events since then (ISO 8601; default: now)')
    .option('--count <number>', 'end after so many events', wholeNumber)
    .action((connectorId: string, options: Listening) => listen(readProfile(), connectorId, options));
}

async function listen(profile: Profile, webhook_connector_id: string, { to, since, count }: Listening): Promise<void> {
  const target = ownAddress(to);
  const from = since ?? new Date().toISOString();
  const seen = new Set<string>();
  let forwarded = 0;
  process.stderr.write(`Forwarding events to ${target.href}. Press Ctrl-C to end.\n`);
  for (;;) {
    for (const event of await eventsSince(profile, webhook_connector_id, from, seen)) {
      seen.add(event.webhook_event_id);
      if (isRefused(event)) continue;
      process.stdout.write(`${await forward(profile, event, target)}\n`);
      forwarded += 1;
      if (count !== undefined && forwarded >= count) return;
    }
    await sleep(lookMs);
  }
}

/** New events, oldest first. */
async function eventsSince(profile: Profile, webhook_connector_id: string, since: string, seen: ReadonlySet<string>) {
  const found: Event[] = [];
  for (let offset = 0; ; offset += 200) {
    const asked = { webhook_connector_id, since, limit: 200, offset };
    const { events, has_more } = await callOperation(profile, 'list_webhook_events', asked);
    const fresh = events.filter(({ webhook_event_id }) => !seen.has(webhook_event_id));
    found.push(...fresh);
    if (!has_more || !fresh.length) return found.toReversed();
  }
}

/** Events that the server did not accept are not forwarded. */
function isRefused({ outcome, body_bytes }: Event): boolean {
  return ['signature_failed', 'refused', 'duplicate'].includes(outcome) || body_bytes === 0;
}

/** Posts an event as it was received, with credentials in its headers removed. Returns a line with the result. */
async function forward(profile: Profile, { webhook_event_id, event_type }: Event, target: URL): Promise<string> {
  const event = await callOperation(profile, 'get_webhook_event', { webhook_event_id });
  const { raw_body, raw_body_encoding, headers: sent } = event;
  const body = Buffer.from(raw_body ?? '', raw_body_encoding);
  const own = Object.entries(sent).filter(
    ([name]) => !/^(content-length|content-encoding|accept-encoding)$/.test(name),
  );
  const headers = { ...Object.fromEntries(own), 'x-thalamus-event-id': webhook_event_id };
  const what = printable([event_type ?? 'event', webhook_event_id].join(' '));
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const { status } = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal });
    return `${status}  ${what}`;
  } catch {
    return `no answer  ${what}`;
  }
}

/** An address of this machine. Throws for any other address: the events belong to the workspace. */
function ownAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)) return url;
  throw new UsageFault(`--to must be an address of this machine, such as http://localhost:3000/hook.`);
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageFault('--count must be a whole number from 1 on.');
}
