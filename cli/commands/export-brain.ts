import type { Command } from 'commander';
import { writeLines } from '../write-lines.ts';

/** `thalamus export-brain`: all pages of `export_brain`, one after another. */
export function addExportBrainCommand(program: Command): void {
  program
    .command('export-brain <brain_id>')
    .description('Export a brain as JSON Lines: thalamus export-brain ID > brain.jsonl')
    .action((brain_id: string) => writeLines('export_brain', { brain_id, limit: 1_000 }));
}
