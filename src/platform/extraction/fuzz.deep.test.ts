import { expect, test } from 'vitest';
import { usualLimits } from './limits.ts';
import { readText } from './read-text.ts';
import { samples } from './sample-files.ts';

const mutations = 500;
/** A file that takes longer would meet the cap of the process. */
const longestMs = 10_000;

/** Park and Miller's generator, so that every run mutates in the same way. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
}

function mutated(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  for (let changes = 1 + random(8); changes > 0; changes -= 1) copy[random(copy.length)] = random(256);
  const way = random(4);
  if (way === 0) return copy.subarray(0, 1 + random(copy.length));
  if (way === 1) return Buffer.concat([copy, copy.subarray(random(copy.length))]);
  if (way === 2) return Buffer.concat([copy.subarray(0, random(copy.length)), copy.subarray(random(copy.length))]);
  return copy;
}

test.for(samples.map(({ filename, bytes }) => [filename, bytes] as const))(
  'mutated files like %s are read or refused in time',
  { timeout: 600_000 },
  async ([filename, bytes]) => {
    const random = createRandom(filename.length * 7_919 + bytes.length);
    let slowest = 0;
    for (let number = 0; number < mutations; number += 1) {
      const begun = performance.now();
      const answer = await readText(mutated(bytes, random), { filename, mimeType: '' }, usualLimits).then(
        ({ text }) => text,
        (error: unknown) => error,
      );
      expect(typeof answer === 'string' || answer instanceof Error, filename).toBe(true);
      slowest = Math.max(slowest, performance.now() - begun);
    }
    expect(slowest).toBeLessThan(longestMs);
  },
);
