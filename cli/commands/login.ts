import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { password } from '@clack/prompts';
import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { UsageFault } from '../failure.ts';
import { serverUrl, writeProfile } from '../profile.ts';

export function addLoginCommand(program: Command): void {
  program
    .command('login')
    .description('Keep the address of a server and a key, so that other commands need neither.')
    .option('--url <url>', 'address of the server', serverUrl())
    .option('--key <key>', 'a cm_ key; asked for when absent, so that it stays out of your shell history')
    .action(async (options: { url: string; key?: string }) => {
      const key = options.key ?? process.env['THALAMUS_KEY'] ?? (await ask());
      const url = addressOf(options.url);
      const { person, workspace } = await callOperation({ url, key }, 'who_am_i', {});
      const file = writeProfile({ url, key });
      process.stdout.write(`Logged in to ${url} as ${person.name} in ${workspace.name}. Kept in ${file}.\n`);
    });
}

/** `localhost:4848` means http there; whoever wants https says so. */
function addressOf(given: string): string {
  const url = /^https?:\/\//.test(given) ? given : `http://${given}`;
  if (!URL.canParse(url)) throw new UsageFault(`--url ${given} is no address. Example: --url http://localhost:4747`);
  return url.replace(/\/+$/, '');
}

/** Asks on a terminal; otherwise the key is what is piped in. */
async function ask(): Promise<string> {
  const key = process.stdin.isTTY
    ? await Promise.race([password({ message: 'Key (cm_…)' }), ended()])
    : await text(process.stdin);
  if (typeof key !== 'string' || !key.trim())
    throw new UsageFault('No key was given. Enter or pipe one in, or set THALAMUS_KEY.');
  return key.trim();
}

async function ended(): Promise<null> {
  await once(process.stdin, 'end');
  return null;
}
