import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readForm } from './multipart.ts';

const folder = mkdtempSync(join(tmpdir(), 'multipart-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'file');
const contentType = 'multipart/form-data; boundary=edge';
const formatPart = (disposition: string, content: string) =>
  `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const field = formatPart('name="title"', 'Zürich');
const file = formatPart('name="file"; filename="a.txt"', 'one\r\n--edg two');
const end = '--edge--\r\n';

/** Reads a form that arrives in pieces of this many bytes. */
function read(form: string, { pieces = 7, most = 1_000, type = contentType } = {}) {
  const bytes = Buffer.from(form);
  const body = ReadableStream.from(
    Array.from({ length: Math.ceil(bytes.length / pieces) }, (_, at) => bytes.subarray(at * pieces, (at + 1) * pieces)),
  );
  return readForm(body as ReadableStream<Uint8Array>, type, { path, most });
}

test.for([1, 2, 7, 1_000])('a form that arrives in pieces of %i bytes is read whole', async (pieces) => {
  expect(await read(`${field}${file}${end}`, { pieces })).toEqual({
    fields: { title: 'Zürich' },
    file: { filename: 'a.txt', mimeType: 'application/octet-stream' },
  });
  expect(readFileSync(path, 'utf8')).toBe('one\r\n--edg two');
});

test('a form without a file is read, and says that it has none', async () => {
  expect(await read(`${field}${end}`)).toEqual({ fields: { title: 'Zürich' }, file: null });
});

test('the type of a file is kept with its charset, by which its text is read', async () => {
  const typed =
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain; charset=windows-1252\r\n\r\nx\r\n';
  expect((await read(`${typed}${end}`)).file).toEqual({
    filename: 'a.txt',
    mimeType: 'text/plain; charset=windows-1252',
  });
});

test.for([
  ['is torn within its file', `${field}${file.slice(0, -4)}`],
  ['is torn within a head', `${field}--edge\r\nContent-Dispo`],
  ['lacks its last boundary', `${field}${file}`],
  ['has no parts', ''],
  ['has a part without a name', `${formatPart('filename="a.txt"', 'x')}${end}`],
] as const)('a form that %s is refused as incomplete', async ([, form]) => {
  await expect(read(form)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('incomplete'),
  });
});

test('a file that cannot be written fails only its own request', async () => {
  const body = ReadableStream.from([Buffer.from(`${field}${file}`), Buffer.from(`${'x'.repeat(100_000)}${end}`)]);
  const reading = readForm(body as ReadableStream<Uint8Array>, contentType, { path: '/dev/full', most: 1_000_000 });
  await expect(reading).rejects.toMatchObject({ code: 'ENOSPC' });
});

/** Whether this process has the file open. */
const isOpen = () =>
  readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false; // closed meanwhile
    }
  });

test('a form of two files, of too many bytes, or of another type is refused', async () => {
  await expect(read(`${file}${file}${end}`)).rejects.toThrow('two files');
  const large = read(`${field}${file}${end}`, { most: 100 });
  await expect(large).rejects.toMatchObject({ code: 'payload_too_large', details: { max_bytes: 100 } });
  await expect.poll(isOpen).toBe(false);
  await expect(read(`${field}${end}`, { type: 'multipart/form-data' })).rejects.toThrow('incomplete');
});
