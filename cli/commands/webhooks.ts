import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { UsageError } from '../failure.ts';
import { forwardEvents } from '../forward-events.ts';
import { printAnswer } from '../output.ts';
import { readProfile } from '../profile.ts';

type Json = { json?: boolean };
type ListenOptions = { to: string; since?: string; count?: number };

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
    .description('Events that a connector received, newest first.')
    .option('--json', 'print JSON')
    .action(async (webhook_connector_id: string, options: Json) =>
      printAnswer(await callOperation(readProfile(), 'list_webhook_events', { webhook_connector_id }), options),
    );
  webhooks
    .command('listen <connector_id>')
    .description('Forward each event that a connector receives to an address of this machine, until you press Ctrl-C.')
    .requiredOption('--to <url>', 'such as http://localhost:3000/hook')
    .option('--since <time>', 'start with the events since then (ISO 8601; default: now)')
    .option('--count <number>', 'end after this many events', parseWholeNumber)
    .action(listen);
}

async function listen(connectorId: string, { to, since, count }: ListenOptions): Promise<void> {
  const target = parseOwnAddress(to);
  const ending = new AbortController();
  // A second Ctrl-C ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  await forwardEvents(readProfile(), connectorId, { target, since, count, signal: ending.signal });
}

/** An address of this machine. Throws for any other address, because the events belong to the workspace. */
function parseOwnAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)) return url;
  throw new UsageError(`--to must be an address of this machine, such as http://localhost:3000/hook.`);
}

function parseWholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError('--count must be a whole number from 1 on.');
}
