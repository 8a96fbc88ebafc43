import { join } from 'node:path';
import type { Command } from 'commander';
import { addToSettings, getClaudeSettingsFile, startEntry } from '../claude-settings.ts';
import { callOperation } from '../client.ts';
import { hasStoredProfile, readProfile } from '../profile.ts';

/**
 * Commands that clients of agents run automatically. A hook that fails must not delay a session, so it reports the
 * error and exits with success.
 */
export function addHookCommand(program: Command): void {
  const hook = program.command('hook').description('Commands for hooks of agent clients.');
  hook
    .command('session-start')
    .description('Print what the person should see at the start of a session, if anything.')
    .action(printPrompts);
  hook
    .command('install')
    .description('Print the setting that makes Claude Code run `hook session-start`, or write it.')
    .option('--write', 'add it to the settings of Claude Code, and keep the rest')
    .action(({ write = false }: { write?: boolean }) => install(write));
}

/** A server that accepts the call and never answers counts as unreachable. */
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
  const file = getClaudeSettingsFile();
  const command = buildOwnCommand('hook session-start');
  const say = (line: string) => process.stderr.write(`${line}\n`);
  if (isWritten) {
    const { isAdded, others } = addToSettings(file, command);
    say(isAdded ? `Added to ${file}: ${command}` : `It is already in ${file}: ${command}`);
    for (const other of others) say(`Remove the other entry there, or everything is shown twice: ${other}`);
  } else {
    process.stdout.write(`${JSON.stringify(startEntry(command), null, 2)}\n`);
    say(`Add this to ${file}, or run it again with --write.`);
  }
  if (!hasStoredProfile()) say('The hook needs a login. Run `npx thalamus login` here once.');
}

/**
 * The command of this installation, runnable from any folder. For a bare name npx would look in a registry, and run the
 * package with that name. It contains no key: it uses the stored login.
 */
function buildOwnCommand(words: string): string {
  return `${[process.execPath, join(import.meta.dirname, '../../bin/thalamus.mjs')].map(quoteWord).join(' ')} ${words}`;
}

/** One word for a shell. */
function quoteWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
