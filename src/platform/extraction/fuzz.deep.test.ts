import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#kernel/errors';
import { createExtraction, type Extraction } from './index.ts';
import { createMutator } from './mutations.ts';
import { samples } from './sample-files.ts';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'fuzz-child.ts');
/** Twice as many files are read, and leftovers are measured after each half. */
const mutations = 500;
/** A process takes about a second to start. */
const mutationsUnderCaps = 5;
/** A file that takes longer would reach the time limit of the process. */
const longestMs = 10_000;
/** The largest leak that is tolerated: 40 kB for each file. */
const mostMoreBytes = 10_000_000;

let folder: string;
let extraction: Extraction;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
  extraction = createExtraction({ ms: longestMs }, folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Leftovers of a process that did not end. The test run itself reads files and has timers. */
const processHandles = () =>
  process.getActiveResourcesInfo().filter((kind) => /^(?:Process|Pipe)Wrap$/.test(kind)).length;

const names = samples.map(({ filename }) => filename);

test.for(names)(
  'mutated files like %s are read or refused in time, and leave nothing behind',
  { timeout: 600_000 },
  async (filename) => {
    const { stdout } = await run(process.execPath, ['--expose-gc', child, filename, String(mutations)]);
    const { unclear, slowestMs, moreBytes, moreHandles } = JSON.parse(stdout) as Record<string, unknown>;
    expect(unclear).toEqual([]);
    expect(slowestMs).toBeLessThan(longestMs);
    expect(moreBytes).toBeLessThan(mostMoreBytes);
    expect(moreHandles).toBeLessThanOrEqual(0);
  },
);

test.for(names)(
  'the process that reads mutated files like %s returns a result or ends, and leaves nothing behind',
  { timeout: 600_000 },
  async (filename) => {
    const next = createMutator(samples.find((each) => each.filename === filename)!);
    const handles = processHandles();
    for (let number = 0; number < mutationsUnderCaps; number += 1) {
      const answer = await extraction
        .text({ filename, mimeType: '', bytes: next(), turnOf: 'somebody' }, 1_000)
        .catch((error) => error);
      if (answer instanceof Error) expect(answer, `mutation ${number}`).toBeInstanceOf(AppError);
    }
    expect(readdirSync(folder)).toEqual([]);
    expect(processHandles()).toBeLessThanOrEqual(handles);
  },
);
