import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Input, Output } from '#sdk';
import { formatCount } from '../format-count.ts';
import { callOperation } from '../client.ts';
import { readProfile } from '../profile.ts';
import { writeLines } from '../write-lines.ts';

type LedgerVerification = Output<'verify_ledger'>;

/** `thalamus audit`: checks whether the record of actions is complete, and exports it to a file. */
export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('The ledger of all drafts in the workspace.');
  audit
    .command('verify')
    .description('Check every hash and every seal. Exits with 1 if anything was changed or is missing.')
    .option('--head <file>', 'file with the last seal: everything before it must still exist; it is then updated')
    .action(async ({ head }: { head?: string }) => {
      const known = head === undefined ? null : await readHead(head);
      const found = await callOperation(readProfile(), 'verify_ledger', known ? { head: known } : {});
      process.stdout.write(`${report(found)}\n`);
      if (head !== undefined)
        process.stdout.write(
          known
            ? `Compared with the seal in ${head}.\n`
            : `${head} did not exist, so nothing was compared. It is created now.\n`,
        );
      if (!found.is_whole) process.exitCode = 1;
      else if (head !== undefined && found.head) await writeFile(head, `${JSON.stringify(found.head)}\n`);
    });
  audit
    .command('export')
    .description('Write every step of every draft, and the seals, as JSON Lines: thalamus audit export > ledger.jsonl')
    .action(() => writeLines('export_ledger', { limit: 500 }));
}

function report({
  is_whole,
  faults,
  drafts,
  rows,
  seals,
  unsealed_rows: open,
  unsealed_since: since,
}: LedgerVerification): string {
  const total = `${formatCount(rows, 'step')} of ${formatCount(drafts, 'draft')} under ${formatCount(seals, 'seal')}`;
  const waiting = open ? `, ${open} not sealed yet (since ${since})` : '';
  return is_whole ? `Whole: ${total}${waiting}.` : ['NOT WHOLE:', ...faults, `(${total}${waiting})`].join('\n');
}

/** Null when the file does not exist yet: the first run creates it. */
async function readHead(file: string): Promise<Input<'verify_ledger'>['head'] | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LedgerVerification['head']; // the server reports another value
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Error(`${file} is not a ledger head: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
