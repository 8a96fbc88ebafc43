import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Output } from '#sdk';
import { formatCount } from '../format-count.ts';
import { UsageError } from '../failure.ts';
import { readProfile } from '../profile.ts';
import { createProgress } from '../progress.ts';
import { callPatiently } from '../write-lines.ts';

type Brain = Pick<
  Output<'list_brains'>['brains'][number],
  'id' | 'name' | 'parent_brain_id' | 'is_personal' | 'access_level'
>;
/** The progress of an export: stored beside the file, so that it can continue after an interruption. */
type ExportProgress = { brain_ids: string[]; brain: number; cursor: string | null; bytes: number; lines: number };

/** `thalamus export`: brains as an archive that `thalamus import` accepts on any server. */
export function addExportCommand(program: Command): void {
  program
    .command('export <file>')
    .description('Export all brains you administer, or some of them with all brains below, as an archive (JSON Lines).')
    .option('--brain <id...>', 'only these brains, and those below them')
    .option('--restart', 'do not continue an interrupted export')
    .action((file: string, options: { brain?: string[]; restart?: boolean }) => exportTo(file, options));
}

async function exportTo(file: string, { brain, restart = false }: { brain?: string[]; restart?: boolean }) {
  if (existsSync(file)) throw new UsageError(`${file} exists. Name another file, or remove it.`);
  const profile = readProfile();
  const { brains } = await callPatiently(profile, 'list_brains', {});
  const brain_ids = sortBrainIds(brains, brain);
  const [part, noted] = [`${file}.part`, `${file}.part.json`];
  const begun = restart ? null : findResumePosition(noted, brain_ids);
  const archive = await open(part, begun ? 'r+' : 'w');
  try {
    await archive.truncate(begun?.bytes ?? 0);
    const place = begun ?? { brain_ids, brain: 0, cursor: null, bytes: 0, lines: 0 };
    const keep = async (lines: readonly unknown[], next: Pick<ExportProgress, 'brain' | 'cursor'>) => {
      Object.assign(place, next);
      await append(archive, place, lines);
      writeFileSync(noted, JSON.stringify(place));
    };
    if (!place.lines) await keep([{ format: 'thalamus-archive', version: 1 }], { brain: 0, cursor: null });
    await writePages(profile, place, keep);
    await append(archive, place, [{ end: true, lines: place.lines + 1 }]);
    await archive.sync();
    process.stderr.write(
      `${formatCount(place.lines, 'line')} of ${formatCount(brain_ids.length, 'brain')} in ${file}.\n`,
    );
  } finally {
    await archive.close();
  }
  renameSync(part, file);
  rmSync(noted);
}

async function writePages(
  profile: ReturnType<typeof readProfile>,
  place: ExportProgress,
  keep: (lines: readonly unknown[], next: Pick<ExportProgress, 'brain' | 'cursor'>) => Promise<void>,
): Promise<void> {
  const progress = createProgress();
  const { brain_ids } = place;
  while (place.brain < brain_ids.length) {
    const { lines, next_cursor } = await callPatiently(profile, 'export_brain', {
      brain_id: brain_ids[place.brain]!,
      form: 'archive',
      with_brain_ids: brain_ids,
      limit: 1_000,
      ...(place.cursor !== null && { cursor: place.cursor }),
    });
    const brain = next_cursor === null ? place.brain + 1 : place.brain;
    await keep(lines, { brain, cursor: next_cursor });
    progress.say(`${formatCount(place.lines, 'line')}, ${brain} of ${formatCount(brain_ids.length, 'brain')} …`);
  }
}

async function append(archive: FileHandle, place: ExportProgress, lines: readonly unknown[]): Promise<void> {
  const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await archive.write(text, 0, text.length, place.bytes);
  place.bytes += text.length;
  place.lines += lines.length;
}

/** The position at which an interrupted export of the same brains stopped. */
function findResumePosition(noted: string, brain_ids: readonly string[]): ExportProgress | null {
  if (!existsSync(noted)) return null;
  const place = JSON.parse(readFileSync(noted, 'utf8')) as ExportProgress; // written by this command
  if (JSON.stringify(place.brain_ids) === JSON.stringify(brain_ids)) return place;
  throw new UsageError(`${noted} is of an export of other brains. Remove it, or export with --restart.`);
}

/** The brains to export, parents first; brains of one level by id, the personal brain first. */
function sortBrainIds(brains: readonly Brain[], chosen: readonly string[] | undefined): string[] {
  const mine = brains.filter(({ access_level }) => access_level === 'admin' || access_level === 'owner');
  const ids = new Set(mine.map(({ id }) => id));
  const missing = chosen?.find((id) => !ids.has(id));
  if (missing) throw new UsageError(`You administer no brain ${missing}. \`thalamus call list_brains\` shows yours.`);
  const sorted = mine.toSorted((a, b) => Number(b.is_personal) - Number(a.is_personal) || (a.id < b.id ? -1 : 1));
  const below = (id: string): string[] => [
    id,
    ...sorted.filter(({ parent_brain_id }) => parent_brain_id === id).flatMap((each) => below(each.id)),
  ];
  const isTop = ({ id, parent_brain_id }: Brain) =>
    chosen ? chosen.includes(id) : parent_brain_id === null || !ids.has(parent_brain_id);
  const all = [...new Set(sorted.filter(isTop).flatMap(({ id }) => below(id)))];
  if (!all.length) throw new UsageError('You administer no brain. Ask an admin of one to export it.');
  return all;
}
