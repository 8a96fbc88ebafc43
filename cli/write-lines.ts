import { once } from 'node:events';
import type { Input, OperationName, Output } from '#sdk';
import { retryWhenLimited } from '#sdk/archives';
import { formatCount } from './format-count.ts';
import { callOperation } from './client.ts';
import { readProfile, type Profile } from './profile.ts';

/** The operations that return `lines` and `next_cursor`. */
type ExportOperation = 'export_brain' | 'export_ledger';

/** Writes all pages of an export, one line of JSON for each item. */
export async function writeLines<Name extends ExportOperation>(operation: Name, input: Input<Name>): Promise<void> {
  const profile = readProfile();
  let cursor: string | null = null;
  let count = 0;
  do {
    const { lines, next_cursor }: Output<ExportOperation> = await callPatiently(profile, operation, {
      ...input,
      ...(cursor !== null && { cursor }),
    });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    // The reader sets the pace, so that a large export is never completely in memory.
    if (text && !process.stdout.write(text)) await once(process.stdout, 'drain');
    count += lines.length;
    cursor = next_cursor;
  } while (cursor !== null);
  process.stderr.write(`${formatCount(count, 'line')}.\n`);
}

/** Calls an operation; when the caller is rate limited, waits as long as the server asks. */
export async function callPatiently<Name extends OperationName>(
  profile: Profile,
  operation: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  return retryWhenLimited(() => callOperation(profile, operation, input));
}
