// Reads mutated copies of a sample file, for tests, in a process like the one that reads files. Prints the outcomes as
// JSON.
import { FileError } from './file-error.ts';
import { usualLimits } from './limits.ts';
import { createMutator } from './mutations.ts';
import { readText } from './read-text.ts';
import { samples } from './sample-files.ts';

const [, , filename = '', count = '0'] = process.argv;
process.on('unhandledRejection', () => {}); // as in `child.ts`

const sample = samples.find((each) => each.filename === filename);
if (!sample) throw new Error(`there is no sample ${filename}`);
const next = createMutator(sample);

/** Reads this many files. Returns the errors that are not ours, and how long the slowest file took. */
async function readMany(): Promise<{ unclear: string[]; slowestMs: number }> {
  const unclear: string[] = [];
  let slowestMs = 0;
  for (let number = 0; number < Number(count); number += 1) {
    const begun = performance.now();
    try {
      await readText(next(), { filename, mimeType: '' }, usualLimits);
    } catch (error) {
      if (!(error instanceof FileError)) unclear.push(String((error as Error).stack).slice(0, 300));
    }
    slowestMs = Math.max(slowestMs, performance.now() - begun);
  }
  return { unclear, slowestMs };
}

/** Memory in use after garbage collection, and the resources that keep a process running. */
async function measureUse(): Promise<{ bytes: number; handles: number }> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  const { heapUsed, external } = process.memoryUsage();
  return { bytes: heapUsed + external, handles: process.getActiveResourcesInfo().length };
}

const first = await readMany(); // which loads the libraries
const before = await measureUse();
const second = await readMany();
const after = await measureUse();
process.stdout.write(
  JSON.stringify({
    unclear: [...first.unclear, ...second.unclear],
    slowestMs: Math.max(first.slowestMs, second.slowestMs),
    moreBytes: after.bytes - before.bytes,
    moreHandles: after.handles - before.handles,
  }),
);
