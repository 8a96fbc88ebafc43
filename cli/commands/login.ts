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
      const url = options.url.replace(/\/+$/, '');
      const { person, workspace } = await callOperation({ url, key }, 'who_am_i', {});
      const file = writeProfile({ url, key });
      const [name, place] = [person, workspace].map((thing) => String((thing as Record<string, unknown>)['name']));
      process.stdout.write(`Logged in to ${url} as ${name} in ${place}. Kept in ${file}.\n`);
    });
}

async function ask(): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageFault('No key given. Use --key, or set THALAMUS_KEY.');
  const key = await password({ message: 'Key (cm_…)' });
  if (typeof key !== 'string') throw new UsageFault('Nothing was entered.');
  return key;
}
