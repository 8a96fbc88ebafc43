import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CallOptions, Input, OperationName } from '#sdk';
import { sendArchive } from '#sdk/archives';
import { callOperation } from '../client.ts';
import { formatCount } from '../format-count.ts';
import { UsageError } from '../failure.ts';
import { computeFingerprint, readLines } from '../file-lines.ts';
import { toPrintable } from '../output.ts';
import { readProfile } from '../profile.ts';
import { createProgress } from '../progress.ts';

/** The number of unreadable items that the output names. */
const mostReported = 20;

type ImportTarget = { into?: string; below?: string };

/** `thalamus import`: sends an archive in parts; the server stores it in one transaction. */
export function addImportCommand(program: Command): void {
  program
    .command('import <file>')
    .description(
      'Import an archive of `thalamus export`, a folder of Markdown, or files of ChatGPT, Claude, mem0 or the MCP memory server. After an interruption, run the same command again to continue.',
    )
    .option('--below <brain_id>', 'put the new brains below this one')
    .option('--into <brain_id>', 'add the contents of an archive with one brain to this brain')
    .action(importFrom);
}

async function importFrom(path: string, place: ImportTarget): Promise<void> {
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  const { forms, readForeign } = await import('../foreign/read-foreign.ts');
  const foreign = await readForeign(path);
  if (!foreign) return importArchive(path, place);
  const folder = await mkdtemp(join(tmpdir(), 'thalamus-import-'));
  try {
    const { writeArchive } = await import('../foreign/write-archive.ts');
    const archive = join(folder, 'archive');
    const { lines, problems } = await writeArchive(archive, foreign);
    for (const { where, message } of problems.slice(0, mostReported))
      process.stderr.write(`${toPrintable(where)} ${toPrintable(message)}\n`);
    if (problems.length) process.stderr.write(`${problems.length} left out.\n`);
    if (!lines) throw new UsageError(`There is nothing to import in ${path}. \`thalamus import\` reads ${forms}.`);
    await importArchive(archive, place);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function importArchive(file: string, { into, below }: ImportTarget): Promise<void> {
  const profile = readProfile();
  const progress = createProgress();
  const { sha256, lines } = await computeFingerprint(file);
  let hasBegun = false;
  const sent = await sendArchive(
    <Name extends OperationName>(operation: Name, input: Input<Name>, options: CallOptions) =>
      callOperation(profile, operation, input, options),
    { sha256, lines, read: () => readLines(file) },
    {
      ...(into && { into_brain_id: into }),
      ...(below && { parent_brain_id: below }),
      onProgress(done, all) {
        if (hasBegun) progress.say(`${done} of ${all} lines …`);
        else if (done) process.stderr.write(`Continuing at line ${done + 1} of ${all}.\n`);
        hasBegun = true;
      },
    },
  );
  if (!sent.isNew) {
    process.stderr.write('This file was already imported here. There is nothing to do.\n');
    return;
  }
  const counts = Object.entries(sent.stored).map(([kind, count]) =>
    kind === 'core_knowledge' ? `${count} of core knowledge` : formatCount(count, kind.replaceAll('_', ' ')),
  );
  const [only, ...others] = sent.brain_ids;
  const place = only && !others.length ? ` See ${profile.url}/brains/${only}` : '';
  process.stderr.write(`Imported: ${counts.join(', ')}.${place}\n`);
  process.stdout.write(sent.brain_ids.map((id) => `${id}\n`).join(''));
}
