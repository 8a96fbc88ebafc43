import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UsageFault } from '../failure.ts';
import { fingerprintOf, linesOf } from '../file-lines.ts';
import { printable } from '../output.ts';
import { readProfile, type Profile } from '../profile.ts';
import { createProgress } from '../progress.ts';
import { callPatiently } from '../write-lines.ts';

/** The number of unreadable items that the output names. */
const mostTold = 20;

type Place = { into?: string; below?: string };

/** `thalamus import`: sends an archive in parts; the server stores it in one transaction. */
export function addImportCommand(program: Command): void {
  program
    .command('import <file>')
    .description(
      'Import an archive of `thalamus export`, a folder of Markdown, or files of ChatGPT, Claude, mem0 or the MCP memory server. Run the same command to continue after an interruption.',
    )
    .option('--below <brain_id>', 'put the new brains below this one')
    .option('--into <brain_id>', 'add what an archive of one brain holds to this brain')
    .action(importFrom);
}

async function importFrom(path: string, place: Place): Promise<void> {
  if (!existsSync(path)) throw new UsageFault(`There is no file ${path}.`);
  const { readForeign } = await import('../foreign/read-foreign.ts');
  const foreign = await readForeign(path);
  if (!foreign) return importArchive(path, place);
  const folder = await mkdtemp(join(tmpdir(), 'thalamus-import-'));
  try {
    const { writeArchive } = await import('../foreign/write-archive.ts');
    const archive = join(folder, 'archive');
    const { lines, problems } = await writeArchive(archive, foreign);
    for (const { where, message } of problems.slice(0, mostTold))
      process.stderr.write(`${printable(where)} ${printable(message)}\n`);
    if (problems.length) process.stderr.write(`${problems.length} left out.\n`);
    if (!lines) throw new UsageFault(`There is nothing to import in ${path}.`);
    await importArchive(archive, place);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function importArchive(file: string, { into, below }: Place): Promise<void> {
  const profile = readProfile();
  const { sha256, lines } = await fingerprintOf(file);
  const begun = await callPatiently(profile, 'start_import', {
    sha256,
    lines,
    ...(into && { into_brain_id: into }),
    ...(below && { parent_brain_id: below }),
  });
  if (begun.is_stored) {
    process.stderr.write('This file was imported here before. Nothing to do.\n');
    return;
  }
  const { import_id, next_line } = begun;
  if (next_line > 1) process.stderr.write(`Going on at line ${next_line} of ${lines}.\n`);
  await sendLines(profile, file, { import_id, next_line, lines });
  const { brain_ids, stored } = await callPatiently(profile, 'finish_import', { import_id });
  const counts = Object.entries(stored).map(([kind, count]) => `${count} ${kind}`);
  process.stderr.write(`Imported: ${counts.join(', ')}.\n`);
  process.stdout.write(brain_ids.map((id) => `${id}\n`).join(''));
}

/** The largest part that is sent at a time, in characters and in lines. */
const fullAt = 1_000_000;
const linesAtOnce = 2_000;

async function sendLines(
  profile: Profile,
  file: string,
  { import_id, next_line, lines: all }: { import_id: string; next_line: number; lines: number },
): Promise<void> {
  const progress = createProgress();
  let [number, first, size] = [0, next_line, 0];
  let batch: string[] = [];
  const send = async () => {
    if (!batch.length) return;
    const lines = `${batch.join('\n')}\n`;
    await callPatiently(profile, 'add_import_lines', { import_id, first_line: first, lines });
    [first, size, batch] = [first + batch.length, 0, []];
    progress.say(`${first - 1} of ${all} lines …`);
  };
  for await (const line of linesOf(file)) {
    number += 1;
    if (number < next_line) continue;
    if (size + line.length > fullAt || batch.length >= linesAtOnce) await send();
    batch.push(line);
    size += line.length + 1;
  }
  await send();
}
