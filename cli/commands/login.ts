import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { password } from '@clack/prompts';
import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { UsageError } from '../failure.ts';
import { getServerUrl, writeProfile, type Profile } from '../profile.ts';

type Options = { url: string; key?: string | true; device?: boolean };

export function addLoginCommand(program: Command): void {
  program
    .command('login')
    .description('Log in with a browser, or store a key, so that other commands need neither address nor key.')
    .option('--url <url>', 'address of the server', getServerUrl())
    .option('--device', 'show a code for a browser on another computer')
    .option(
      '--key [key]',
      'store a cm_ key instead; if left out, the command asks for it, so that it stays out of your shell history',
    )
    .action(async (options: Options) => {
      const profile = await createProfile(options);
      const { person, workspace } = await callOperation(profile, 'who_am_i', {});
      const file = writeProfile(profile);
      process.stdout.write(`Logged in to ${profile.url} as ${person.name} in ${workspace.name}. Stored in ${file}.\n`);
    });
}

/** Uses a given key, also from a script; otherwise the person at the terminal logs in with a browser. */
async function createProfile({ url: given, key = process.env['THALAMUS_KEY'], device }: Options): Promise<Profile> {
  const url = toServerAddress(given);
  const { logInThroughBrowser, logInThroughDevice } = await import('../oauth.ts');
  if (device)
    return logInThroughDevice(url, ({ address, code }) =>
      printNotice(`Open ${address}\nand check that it shows the code ${code}.`),
    );
  if (typeof key === 'string') return { url, key: key.trim() };
  if (key === true || !process.stdin.isTTY) return { url, key: await ask() };
  return logInThroughBrowser(url, (address) => {
    printNotice(`Opening your browser. If nothing opens, go to:\n${address}`);
    openBrowser(address);
  });
}

function printNotice(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Where no browser can be opened, the person opens the printed address. */
function openBrowser(address: string): void {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(command, [address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** `localhost:4848` means http; for https the user writes it. */
function toServerAddress(given: string): string {
  const url = /^https?:\/\//.test(given) ? given : `http://${given}`;
  if (!URL.canParse(url))
    throw new UsageError(`--url ${given} is not an address. Example: --url http://localhost:4747`);
  return url.replace(/\/+$/, '');
}

/** Asks on a terminal; otherwise the key is read from standard input. */
async function ask(): Promise<string> {
  const key = process.stdin.isTTY
    ? await Promise.race([password({ message: 'Key (cm_…)' }), waitUntilInputEnds()])
    : await text(process.stdin);
  if (typeof key !== 'string' || !key.trim())
    throw new UsageError('No key was given. Enter or pipe one in, or set THALAMUS_KEY.');
  return key.trim();
}

async function waitUntilInputEnds(): Promise<null> {
  await once(process.stdin, 'end');
  return null;
}
