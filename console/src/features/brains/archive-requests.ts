import { retryWhenLimited, sendArchive, type SendResult } from '#sdk/archives';
import { call } from '../../api/call.ts';

export type TransferOptions = { signal: AbortSignal; onProgress: (lines: number, of: number | null) => void };

/** One brain as an archive: JSON Lines that any Thalamus server imports. */
export async function exportArchive(brainId: string, { signal, onProgress }: TransferOptions): Promise<Blob> {
  const parts = [formatJsonLine({ format: 'thalamus-archive', version: 1 })];
  let count = 1;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const asked = { brain_id: brainId, form: 'archive' as const, with_brain_ids: [brainId], limit: 1_000 };
    const page: { lines: unknown[]; next_cursor: string | null } = await retryWhenLimited(
      () => call('export_brain', { ...asked, ...(cursor && { cursor }) }, { signal }),
      signal,
    );
    parts.push(...page.lines.map(formatJsonLine));
    count += page.lines.length;
    cursor = page.next_cursor;
    onProgress(count, null);
  }
  parts.push(formatJsonLine({ end: true, lines: count + 1 }));
  return new Blob(parts, { type: 'application/jsonl' });
}

/** Sends an archive in parts. The server stores all of it at the end, or nothing. The same file continues where it stopped. */
export async function importArchive(
  file: File,
  parentId: string | null,
  { signal, onProgress }: TransferOptions,
): Promise<SendResult> {
  const where = parentId === null ? {} : { parent_brain_id: parentId };
  const { sha256, lines } = await computeFileFingerprint(file);
  return sendArchive(call, { sha256, lines, read: () => streamLines(file) }, { ...where, signal, onProgress });
}

function formatJsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The SHA-256 and the number of lines of a file. */
async function computeFileFingerprint(file: File): Promise<{ sha256: string; lines: number }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  let lines = 0;
  for (const byte of bytes) if (byte === 0x0a) lines += 1;
  return { sha256, lines: bytes.at(-1) === 0x0a ? lines : lines + 1 };
}

async function* streamLines(file: File): AsyncGenerator<string> {
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
