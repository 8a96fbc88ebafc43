import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { formatCount } from '../format-count.ts';
import { UsageError } from '../failure.ts';
import { createProgress } from '../progress.ts';

/**
 * `thalamus backup` and `thalamus restore`: a whole server as one file. They run on the server's machine, beside the
 * server.
 */
export function addBackupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description(
      'Back up the whole server to a file (.tar.gz). The server can keep running. Also store the master key.',
    )
    .action(writeBackupTo);
  program
    .command('restore <file>')
    .description('Restore a backup into a new, empty database and data folder.')
    .option('--key-lost', 'restore although the master key is lost, to export the brains: secrets cannot be opened')
    .action((file: string, { keyLost = false }: { keyLost?: boolean }) => restoreFrom(file, keyLost));
}

async function writeBackupTo(file: string): Promise<void> {
  if (existsSync(file)) throw new UsageError(`${file} exists. Name another file, or remove it.`);
  const { writeServerBackup } = await import('../../src/backups.ts');
  const { rows, blobs, missing } = await writeServerBackup(file, await readSettings());
  const deleted = missing ? ` Deleted meanwhile: ${formatCount(missing, 'file')}.` : '';
  process.stderr.write(`${formatSummary(rows, blobs)} in ${file}.${deleted}\n`);
  process.stderr.write(
    'The master key is not included. Store it with the backup: without it secrets cannot be opened.\n',
  );
}

async function restoreFrom(file: string, isKeyLost: boolean): Promise<void> {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
  const { restore } = await import('../../src/backups.ts');
  const { rows, blobs, createdAt, skipped } = await restore(file, { ...(await readSettings()), isKeyLost });
  process.stderr.write(
    `Restored ${formatSummary(rows, blobs)}, as of ${createdAt}. Start the server with \`thalamus start\`.\n`,
  );
  if (skipped.length)
    process.stderr.write(`Not restored, because other programs created these tables: ${skipped.join(', ')}.\n`);
}

async function readSettings() {
  const { readConfig } = await import('../../src/configuration.ts');
  const config = readConfig();
  const { createLog } = await import('#platform/log');
  return { config, log: createLog(config.logLevel), say: createProgress().say };
}

function formatSummary(rows: Record<string, number>, blobs: number): string {
  const counts = Object.values(rows);
  const total = counts.reduce((all, count) => all + count, 0);
  return `${formatCount(total, 'row')} of ${formatCount(counts.length, 'table')} and ${formatCount(blobs, 'file')}`;
}
