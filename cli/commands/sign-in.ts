import { confirm } from '@clack/prompts';
import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { UsageError } from '../failure.ts';
import { readProfile } from '../profile.ts';

type Link = { url: string; until: Date };

/** `thalamus sign-in`: prints a link with the stored key or, for the operator of the server, one as its owner. */
export function addSignInCommand(program: Command): void {
  program
    .command('sign-in')
    .description('Print a link that signs you in to the console once.')
    .option('--owner', "on the server's machine with its settings: sign in as the owner, who may approve")
    .action(async ({ owner = false }: { owner?: boolean }) => {
      const { url, until } = owner ? await createOwnerLink() : await linkOfKey();
      process.stdout.write(`${url}\n`);
      process.stderr.write(`Valid once, until ${until.toLocaleTimeString()}.\n`);
    });
}

async function linkOfKey(): Promise<Link> {
  const { url, expires_at } = await callOperation(readProfile(), 'create_sign_in_link', {});
  return { url, until: new Date(expires_at) };
}

/** A person must be present, so that no script and no agent can become a person. */
async function createOwnerLink(): Promise<Link> {
  if (!process.stdin.isTTY) throw new UsageError('--owner makes a link for a person. Run it at a terminal.');
  const message = 'The link signs in as the owner, who may approve drafts. Create it?';
  if ((await confirm({ message, initialValue: false, output: process.stderr })) !== true)
    throw new UsageError('No link was created.');
  const { readConfig } = await import('../../src/configuration.ts');
  const { createLog } = await import('#platform/log');
  const { signInOwner } = await import('../../src/server.ts');
  const config = readConfig();
  const link = await signInOwner(config, createLog(config.logLevel));
  if (!link) throw new UsageError('There is no owner yet. Start the server first: npx thalamus start');
  return { url: link.url, until: link.expiresAt };
}
