// Reads lines of large files one after another. Only a line feed ends a line: a text may contain any other separator.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { UsageError } from './failure.ts';

const longestLine = 4_000_000;

/** The lines of a file without their ends. Throws when one is longer than any server accepts. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > longestLine) throw new UsageError(`A line of ${path} is longer than 4 MB. Is it an archive?`);
    yield* parts;
  }
  if (rest) yield rest;
}

/** The identity of this file, and its number of lines. */
export async function computeFingerprint(path: string): Promise<{ sha256: string; lines: number }> {
  const hash = createHash('sha256');
  let lines = 0;
  let last = 0x0a;
  for await (const chunk of createReadStream(path)) {
    const bytes = chunk as Buffer; // a stream without an encoding
    hash.update(bytes);
    for (const byte of bytes) if (byte === 0x0a) lines += 1;
    last = bytes.at(-1) ?? last;
  }
  return { sha256: hash.digest('hex'), lines: last === 0x0a ? lines : lines + 1 };
}
