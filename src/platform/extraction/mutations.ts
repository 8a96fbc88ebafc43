// Mutated copies of a file, for tests.

/** Park and Miller's generator, so that every run creates the same mutations. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/**
 * Creates the next mutated copy at each call: bytes are changed, or the file is cut, repeated in part, or loses a
 * piece.
 */
export function createMutator({ filename, bytes }: { filename: string; bytes: Buffer }): () => Buffer {
  const random = createRandom(filename.length * 7_919 + bytes.length);
  return () => {
    const copy = Buffer.from(bytes);
    for (let changes = 1 + random(8); changes > 0; changes -= 1) copy[random(copy.length)] = random(256);
    const way = random(4);
    if (way === 0) return copy.subarray(0, 1 + random(copy.length));
    if (way === 1) return Buffer.concat([copy, copy.subarray(random(copy.length))]);
    if (way === 2) return Buffer.concat([copy.subarray(0, random(copy.length)), copy.subarray(random(copy.length))]);
    return copy;
  };
}
