import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { password } from '@clack/prompts';
import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { UsageFault } from '../failure.ts';
import { loginByBrowser, loginByDevice } from '../oauth.ts';
import { serverUrl, writeProfile, type Profile } from '../profile.ts';

type Options = { url: string; key?: string | true; device?: boolean };

export function addLoginCommand(program: Command): void {
  program
    .command('login')
    .description('Log in by a browser, or keep a key, so that other commands need neither address nor key.')
    .option('--url <url>', 'address of the server', serverUrl())
    .option('--device', 'show a code for a browser on another computer')
    .option('--key [key]', 'keep a cm_ key instead; asked for when absent, so that it stays out of your shell history')
    .action(async (options: Options) => {
      const profile = await profileFrom(options);
      const { person, workspace } = await callOperation(profile, 'who_am_i', {});
      const file = writeProfile(profile);
      process.stdout.write(`Logged in to ${profile.url} as ${person.name} in ${workspace.name}. Kept in ${file}.\n`);
    });
}

/** Uses a given key, also from a script; otherwise the person at the terminal logs in by a browser. */
async function profileFrom({ url: given, key = process.env['THALAMUS_KEY'], device }: Options): Promise<Profile> {
  const url = addressOf(given);
  if (device)
    return loginByDevice(url, ({ address, code }) =>
      tell(`Open ${address}\nand check that it shows the code ${code}.`),
    );
  if (typeof key === 'string') return { url, key: key.trim() };
  if (key === true || !process.stdin.isTTY) return { url, key: await ask() };
  return loginByBrowser(url, (address) => {
    tell(`Opening your browser. If nothing opens, go to:\n${address}`);
    openBrowser(address);
  });
}

function tell(text: string): void {
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
function addressOf(given: string): string {
  const url = /^https?:\/\//.test(given) ? given : `http://${given}`;
  if (!URL.canParse(url))
    throw new UsageFault(`--url ${given} is not an address. Example: --url http://localhost:4747`);
  return url.replace(/\/+$/, '');
}

/** Asks on a terminal; otherwise the key is read from standard input. */
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
