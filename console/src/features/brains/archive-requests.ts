import { call } from '../../api/call.ts';

export type Doing = { signal: AbortSignal; onProgress: (lines: number, of: number | null) => void };

/** Size of one request, in characters and in lines. */
const fullAt = 1_000_000;
const linesAtOnce = 2_000;

/** One brain as an archive: JSON Lines that any Thalamus server imports. */
export async function exportArchive(brainId: string, { signal, onProgress }: Doing): Promise<Blob> {
  const parts = [lineOf({ format: 'thalamus-archive', version: 1 })];
  let count = 1;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const asked = { brain_id: brainId, form: 'archive' as const, with_brain_ids: [brainId], limit: 1_000 };
    const page: { lines: unknown[]; next_cursor: string | null } = await call(
      'export_brain',
      { ...asked, ...(cursor && { cursor }) },
      { signal },
    );
    parts.push(...page.lines.map(lineOf));
    count += page.lines.length;
    cursor = page.next_cursor;
    onProgress(count, null);
  }
  parts.push(lineOf({ end: true, lines: count + 1 }));
  return new Blob(parts, { type: 'application/jsonl' });
}

/** Sends an archive in parts. The server stores all of it at the end, or nothing. The same file continues where it stopped. */
export async function importArchive(file: File, parentId: string | null, { signal, onProgress }: Doing) {
  const { sha256, lines } = await fingerprintOf(file);
  const where = parentId === null ? {} : { parent_brain_id: parentId };
  const begun = await call('start_import', { sha256, lines, ...where }, { signal });
  if (begun.is_stored) return { brain_ids: begun.brain_ids, isNew: false };
  const { import_id } = begun;
  let [number, first, size] = [0, begun.next_line, 0];
  let batch: string[] = [];
  const send = async () => {
    if (!batch.length) return;
    await call('add_import_lines', { import_id, first_line: first, lines: `${batch.join('\n')}\n` }, { signal });
    [first, size, batch] = [first + batch.length, 0, []];
    onProgress(first - 1, lines);
  };
  for await (const line of linesOf(file)) {
    number += 1;
    if (number < begun.next_line) continue;
    if (size + line.length > fullAt || batch.length >= linesAtOnce) await send();
    batch.push(line);
    size += line.length + 1;
  }
  await send();
  const { brain_ids } = await call('finish_import', { import_id }, { signal });
  return { brain_ids, isNew: true };
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The SHA-256 and the number of lines of a file. */
async function fingerprintOf(file: File): Promise<{ sha256: string; lines: number }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  let lines = 0;
  for (const byte of bytes) if (byte === 0x0a) lines += 1;
  return { sha256, lines: bytes.at(-1) === 0x0a ? lines : lines + 1 };
}

async function* linesOf(file: File): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest) yield rest;
}
