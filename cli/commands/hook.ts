import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { readProfile } from '../profile.ts';

/** What agents' clients run by themselves. A hook that fails must not hold a session up, so that it says so and ends well. */
export function addHookCommand(program: Command): void {
  const hook = program.command('hook').description("Commands for the hooks of agents' clients.");
  hook
    .command('session-start')
    .description('Print what the person should hear of at the start of a session; nothing when there is nothing.')
    .action(async () => {
      try {
        const { text } = await callOperation(readProfile(), 'list_inbox_prompts', {});
        if (text) process.stdout.write(`${String(text)}\n`);
      } catch (error) {
        process.stderr.write(`thalamus: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    });
}
