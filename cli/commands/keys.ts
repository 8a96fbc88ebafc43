import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { printAnswer } from '../output.ts';
import { readProfile } from '../profile.ts';

/** Short forms of the key operations; `call` reaches them too. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('Keys for agents and scripts.');
  keys
    .command('list')
    .description('Keys there are; never the keys themselves.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      printAnswer(await callOperation(readProfile(), 'list_keys', {}), options),
    );
  keys
    .command('create <label>')
    .description('Make a key for an agent. It is shown once.')
    .option('--json', 'print JSON')
    .action(async (label: string, options: { json?: boolean }) =>
      printAnswer(await callOperation(readProfile(), 'create_key', { label }), options),
    );
  keys
    .command('revoke <key_id>')
    .description('End a key.')
    .option('--json', 'print JSON')
    .action(async (key_id: string, options: { json?: boolean }) =>
      printAnswer(await callOperation(readProfile(), 'revoke_key', { key_id }), options),
    );
}
