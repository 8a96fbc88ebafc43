import { join } from 'node:path';
import type { Command } from 'commander';
import { addToSettings, claudeSettingsFile, startEntry } from '../claude-settings.ts';
import { callOperation } from '../client.ts';
import { isLoggedIn, readProfile } from '../profile.ts';

/** What agents' clients run by themselves. A hook that fails must not hold a session up, so that it says so and ends well. */
export function addHookCommand(program: Command): void {
  const hook = program.command('hook').description('Commands for hooks of agent clients.');
  hook
    .command('session-start')
    .description('Print what to tell the person at the start of a session, if anything.')
    .action(printPrompts);
  hook
    .command('install')
    .description('Print the setting that makes Claude Code run `hook session-start`, or write it.')
    .option('--write', 'add it to the settings of Claude Code and keep the rest')
    .action(({ write = false }: { write?: boolean }) => install(write));
}

/** A server that took the call and never answers is as good as gone. */
const answersWithinMs = 3_000;

async function printPrompts(): Promise<void> {
  try {
    const signal = AbortSignal.timeout(answersWithinMs);
    const { text } = await callOperation(readProfile(), 'list_inbox_prompts', {}, { signal });
    if (text) process.stdout.write(`${String(text)}\n`);
  } catch (error) {
    process.stderr.write(`thalamus: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function install(isWritten: boolean): void {
  const file = claudeSettingsFile();
  const command = ownCommand('hook session-start');
  const say = (line: string) => process.stderr.write(`${line}\n`);
  if (isWritten) {
    const { isAdded, others } = addToSettings(file, command);
    say(isAdded ? `Added to ${file}: ${command}` : `It is in ${file} already: ${command}`);
    for (const other of others) say(`Remove the other entry there, or everything is shown twice: ${other}`);
  } else {
    process.stdout.write(`${JSON.stringify(startEntry(command), null, 2)}\n`);
    say(`Add this to ${file}, or run it again with --write.`);
  }
  if (!isLoggedIn()) say('The hook needs a login. Run `npx thalamus login` here once.');
}

/**
 * The command line of this very installation, from any folder. By its bare name npx would look for it in a registry, and run
 * whatever goes by that name there. It holds no key: the login that is kept is used.
 */
function ownCommand(words: string): string {
  return `${[process.execPath, join(import.meta.dirname, '../../bin/thalamus.mjs')].map(quoted).join(' ')} ${words}`;
}

/** One word for a shell. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
