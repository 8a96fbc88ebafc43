// Reads multipart/form-data (RFC 7578) as it arrives: files are written to disk, fields are kept.
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { AppError } from '#kernel/errors';

/** The largest form: a file of 100 MB and its fields. */
export const mostFormBytes = 101_000_000;

const mostHead = 8_192;
const mostField = 10_000;
const mostParts = 20;

export type Form = { fields: Record<string, string>; file: { filename: string; mimeType: string } | null };

type FormPart = { name: string; filename: string | null; mimeType: string };
type Sink = { write(bytes: Buffer): Promise<void>; end(): Promise<void>; [Symbol.dispose](): void };

/**
 * Reads a form; its file is written to `path`. Throws `invalid_input` for another body or two files, `payload_too_large`
 * beyond `most` bytes.
 */
export async function readForm(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  { path, most }: { path: string; most: number },
): Promise<Form> {
  const boundary = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType)?.slice(1).find(Boolean);
  if (!boundary) throw createIncompleteFormError();
  using open = new DisposableStack();
  const form: Form = { fields: {}, file: null };
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line break before it.
  let buffer = Buffer.from('\r\n');
  let sink: Sink | null = null;
  let isPreamble = true;
  let [size, parts] = [0, 0];
  let isEnded = false;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most)
      throw new AppError('payload_too_large', `A file may have at most ${most} bytes.`, { max_bytes: most });
    if (isEnded) continue;
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      if (!sink && !isPreamble) {
        const head = readHead(buffer);
        if (head === null) break;
        if (head === 'end') {
          isEnded = true;
          break;
        }
        if ((parts += 1) > mostParts) throw createIncompleteFormError();
        buffer = buffer.subarray(head.length);
        sink = open.use(createSink(head.part, form, path));
      }
      const at = buffer.indexOf(delimiter);
      if (at < 0) {
        const safe = Math.max(0, buffer.length - delimiter.length);
        await sink?.write(buffer.subarray(0, safe));
        buffer = buffer.subarray(safe);
        break;
      }
      await sink?.write(buffer.subarray(0, at));
      await sink?.end();
      sink = null;
      isPreamble = false;
      buffer = buffer.subarray(at + delimiter.length);
    }
  }
  if (!isEnded) throw createIncompleteFormError();
  return form;
}

/** The head of a part at the beginning of the buffer; null when it is incomplete. */
function readHead(buffer: Buffer): { part: FormPart; length: number } | 'end' | null {
  if (buffer.length < 2) return null;
  if (buffer.subarray(0, 2).toString('latin1') === '--') return 'end';
  const end = buffer.indexOf('\r\n\r\n');
  if (end < 0) {
    if (buffer.length > mostHead) throw createIncompleteFormError();
    return null;
  }
  const head = buffer.subarray(0, end).toString('utf8');
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  const name = /[;\s]name="([^"]{0,200})"/i.exec(disposition)?.[1];
  if (name === undefined) throw createIncompleteFormError();
  const filename = /[;\s]filename="([^"]{0,300})"/i.exec(disposition)?.[1] ?? null;
  const mimeType = /^content-type:\s*(.{1,200})$/im.exec(head)?.[1]?.trim() ?? 'application/octet-stream';
  return { part: { name, filename: filename && decodeName(filename), mimeType }, length: end + 4 };
}

/** Browsers write quotes and line breaks in names as percent codes. */
function decodeName(name: string): string {
  return name.replaceAll(/%(22|0D|0A)/gi, (code) => decodeURIComponent(code)).replace(/^.*[/\\]/, '');
}

function createSink({ name, filename, mimeType }: FormPart, form: Form, path: string): Sink {
  if (filename !== null) {
    if (form.file) throw new AppError('invalid_input', 'The form has two files. Send one file in each request.');
    form.file = { filename, mimeType };
    const stream = createWriteStream(path, { mode: 0o600 });
    // A full disk fails the pending write, or else the next one.
    let failure: Error | null = null;
    stream.on('error', (error) => (failure = error));
    return {
      async write(bytes) {
        if (failure) throw failure;
        if (!stream.write(Buffer.from(bytes))) await once(stream, 'drain');
      },
      async end() {
        if (failure) throw failure;
        stream.end();
        await once(stream, 'finish');
      },
      [Symbol.dispose]: () => void stream.destroy(),
    };
  }
  let text = '';
  return {
    async write(bytes) {
      text += bytes.toString('latin1');
      if (text.length > mostField) throw createIncompleteFormError();
    },
    async end() {
      form.fields[name] = Buffer.from(text, 'latin1').toString('utf8');
    },
    [Symbol.dispose]() {},
  };
}

function createIncompleteFormError(): AppError {
  return new AppError('invalid_input', 'The form is incomplete. Send multipart/form-data with a part called `file`.');
}
