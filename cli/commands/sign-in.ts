import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { readProfile } from '../profile.ts';

export function addSignInCommand(program: Command): void {
  program
    .command('sign-in')
    .description('Print a link that signs you in to the web console once.')
    .action(async () => {
      const { url, expires_at } = await callOperation(readProfile(), 'create_sign_in_link', {});
      process.stdout.write(`${String(url)}\n`);
      process.stderr.write(`Valid once, until ${new Date(String(expires_at)).toLocaleTimeString()}.\n`);
    });
}
