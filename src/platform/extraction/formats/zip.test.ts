import { expect, test } from 'vitest';
import { buildSampleZip } from '../sample-zip.ts';
import { openZip, type Zip } from './zip.ts';

async function readZipPart(zip: Zip, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of zip.stream(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same archive with the numbers of its directory in ZIP64 fields, as some writers always write them. */
function toZip64(bytes: Buffer): Buffer {
  const end = bytes.length - 22;
  const from = bytes.readUInt32LE(end + 16);
  const entry = Buffer.from(bytes.subarray(from, end));
  const [packed, unpacked, nameLength] = [entry.readUInt32LE(20), entry.readUInt32LE(24), entry.readUInt16LE(28)];
  const field = Buffer.alloc(28);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(24, 2);
  [unpacked, packed, entry.readUInt32LE(42)].forEach((number, at) =>
    field.writeBigUInt64LE(BigInt(number), 4 + at * 8),
  );
  for (const at of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, at);
  entry.writeUInt16LE(field.length, 30);
  const directory = Buffer.concat([entry.subarray(0, 46 + nameLength), field]);
  const largeEnd = Buffer.alloc(56);
  largeEnd.writeUInt32LE(0x06064b50, 0);
  largeEnd.writeBigUInt64LE(1n, 32);
  largeEnd.writeBigUInt64LE(BigInt(from), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(from + directory.length), 8);
  const last = Buffer.from(bytes.subarray(end));
  last.writeUInt16LE(0xffff, 10);
  last.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([bytes.subarray(0, from), directory, largeEnd, locator, last]);
}

test('an entry is the same read whole and in chunks, also from a ZIP64 archive', async () => {
  const content = 'Harbour dues '.repeat(100_000);
  const bytes = buildSampleZip({ 'a.txt': content });
  for (const archive of [bytes, toZip64(bytes)]) {
    const zip = openZip(archive, 10_000_000);
    expect(zip.names).toEqual(['a.txt']);
    expect(zip.read('a.txt')?.toString()).toBe(content);
    expect((await readZipPart(zip, 'a.txt')).toString()).toBe(content);
    expect(await readZipPart(zip, 'b.txt')).toHaveLength(0);
  }
});

test('all that is read in chunks together has one limit, and damaged chunks are reported', async () => {
  const zip = openZip(buildSampleZip({ 'a.txt': ' '.repeat(600_000), 'b.txt': ' '.repeat(600_000) }), 1_000_000);
  await readZipPart(zip, 'a.txt');
  await expect(readZipPart(zip, 'b.txt')).rejects.toThrow('unpacks to more');
  const damaged = buildSampleZip({ 'a.txt': 'Harbour dues' });
  damaged[30 + 'a.txt'.length] = 0xff;
  await expect(readZipPart(openZip(damaged, 1_000), 'a.txt')).rejects.toThrow('damaged');
});
