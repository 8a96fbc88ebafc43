import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { printAnswer } from '../output.ts';
import { readProfile } from '../profile.ts';

/** Short forms of the key operations; `call` runs them, too. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('Keys for agents and scripts.');
  keys
    .command('list')
    .description('List keys, without their values.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      printAnswer(await callOperation(readProfile(), 'list_keys', {}), options),
    );
  keys
    .command('create <label>')
    .description('Create a key for an agent. It is shown once.')
    .option('--json', 'print JSON')
    .action(async (label: string, options: { json?: boolean }) =>
      printAnswer(await callOperation(readProfile(), 'create_key', { label }), options),
    );
  keys
    .command('revoke <key_id>')
    .description('Revoke a key.')
    .option('--json', 'print JSON')
    .action(async (key_id: string, options: { json?: boolean }) =>
      printAnswer(await callOperation(readProfile(), 'revoke_key', { key_id }), options),
    );
}
