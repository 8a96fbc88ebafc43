// Sends an archive to a server in parts. The command line and the console share this.
import type { Input, Output } from './index.ts';

type CallOf<Name extends 'start_import' | 'add_import_lines' | 'finish_import'> = (
  name: Name,
  input: Input<Name>,
  options: { signal?: AbortSignal },
) => Promise<Output<Name>>;
type Caller = CallOf<'start_import'> & CallOf<'add_import_lines'> & CallOf<'finish_import'>;

export type ArchiveFile = {
  sha256: string;
  /** How many lines the file has, and those lines without their ends. */
  lines: number;
  read: () => AsyncIterable<string>;
};

export type SendOptions = {
  into_brain_id?: string;
  parent_brain_id?: string;
  signal?: AbortSignal;
  /** Called once at the start and after each part. `sent` counts the lines that the server has. */
  onProgress?: (sent: number, of: number) => void;
};

/** The result of sending an archive. `isNew` is false when the same file was imported to the same place before. */
export type SendResult = { isNew: false; brain_ids: string[] } | ({ isNew: true } & Output<'finish_import'>);

/** Size of one request, in characters and in lines. */
const fullAt = 1_000_000;
const linesAtOnce = 2_000;
/** Used when the server does not say how long to wait. */
const usualWait = 5;

/** Sends an archive. The server stores all of it at the end, or nothing. The same file continues where it stopped. */
export async function sendArchive(call: Caller, file: ArchiveFile, sending: SendOptions = {}): Promise<SendResult> {
  const { signal, onProgress, ...place } = sending;
  const options = signal ? { signal } : {};
  const { sha256, lines: all } = file;
  const begun = await retryWhenLimited(() => call('start_import', { sha256, lines: all, ...place }, options), signal);
  if (begun.is_stored) return { isNew: false, brain_ids: begun.brain_ids };
  const { import_id } = begun;
  let [number, first, size] = [0, begun.next_line, 0];
  let batch: string[] = [];
  onProgress?.(first - 1, all);
  const send = async () => {
    if (!batch.length) return;
    const part = { import_id, first_line: first, lines: `${batch.join('\n')}\n` };
    await retryWhenLimited(() => call('add_import_lines', part, options), signal);
    [first, size, batch] = [first + batch.length, 0, []];
    onProgress?.(first - 1, all);
  };
  for await (const line of file.read()) {
    number += 1;
    if (number < begun.next_line) continue;
    if (size + line.length > fullAt || batch.length >= linesAtOnce) await send();
    batch.push(line);
    size += line.length + 1;
  }
  await send();
  return { isNew: true, ...(await retryWhenLimited(() => call('finish_import', { import_id }, options), signal)) };
}

/** Does work again when the server was called too often, after the time that the server names. */
export async function retryWhenLimited<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const seconds = findWaitSeconds(error);
      if (seconds === null) throw error;
      await wait(seconds * 1_000, signal);
    }
  }
}

/** How many seconds to wait after an error; null when waiting does not help. */
function findWaitSeconds(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'rate_limited') return null;
  const details = 'details' in error ? error.details : null;
  const seconds =
    typeof details === 'object' && details && 'retry_after' in details ? Number(details.retry_after) : Number.NaN;
  return seconds > 0 ? seconds : usualWait;
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
