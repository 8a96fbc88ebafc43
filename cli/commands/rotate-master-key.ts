import type { Command } from 'commander';
import { formatCount } from '../format-count.ts';
import { UsageError } from '../failure.ts';

export function addRotateMasterKeyCommand(program: Command): void {
  program
    .command('rotate-master-key')
    .description('Wrap all data keys with THALAMUS_MASTER_KEY. THALAMUS_MASTER_KEY_PREVIOUS opens them.')
    .action(async () => {
      const { readConfig } = await import('../../src/configuration.ts');
      const config = readConfig();
      if (!config.masterKey || !config.previousMasterKey) {
        throw new UsageError(
          'Set THALAMUS_MASTER_KEY to the new key and THALAMUS_MASTER_KEY_PREVIOUS to the old one. ' +
            'Servers can keep running: start them with both keys, run this, then remove the old key.',
        );
      }
      const { createLog } = await import('#platform/log');
      const { rotateMasterKey } = await import('../../src/server.ts');
      const { workspaces, rewrapped } = await rotateMasterKey(config, createLog(config.logLevel));
      process.stdout.write(
        `The new key now wraps ${formatCount(rewrapped, 'data key')} of ${formatCount(workspaces, 'workspace')}.\n`,
      );
    });
}
