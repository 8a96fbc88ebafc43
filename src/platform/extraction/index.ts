// Extracts the words of files: each file is read in its own process, under limits.
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AppError } from '#kernel/errors';
import { createTurnsByKey } from '#platform/turns';
import { createAnalyser, type AnalyseText } from '#platform/search';
import { FileError } from './file-error.ts';
import { detectFormat, type Format, type NamedFile } from './format.ts';
import { limitBySize, usualLimits, type Limits } from './limits.ts';
import { readText } from './read-text.ts';
import { runChild } from './run-child.ts';
import { scan } from './scan.ts';
import { buildScannedPassage, type Answer, type DocumentAnswer, type ScannedPassage, type Task } from './task.ts';

export type { DocumentAnswer, ScannedPassage } from './task.ts';
export { isCodedText, type NamedFile } from './format.ts';
export { readWordsOfHtml, readWordsOfMail } from './words.ts';

/** The bytes of a file, or its path. `turnOf`: the id whose turn it uses; turns rotate among ids. */
type FileToRead = NamedFile & ({ bytes: Uint8Array } | { path: string }) & { turnOf: string };

export type Extraction = {
  /** The words of a file, the first `mostText` characters of them. Throws `invalid_input` or `payload_too_large`. */
  text(file: FileToRead, mostText: number): Promise<{ text: string; title: string | null }>;
  /** Reads and scans a file; `use` receives its format, and its passages in batches. Throws like `text`. */
  document<T>(
    file: FileToRead,
    language: string,
    use: (about: DocumentAnswer, passages: AsyncIterable<ScannedPassage[]>) => Promise<T>,
  ): Promise<T>;
};

/** One person's files leave a slot free for others. */
const turns = { atOnce: 2, atOnceEach: 1, waitingEach: 100 };
const perBatch = 500;
/** Up to this many bytes, plain text is scanned in the server's process. */
const shortText = 200_000;
const plainFormats: readonly Format[] = ['text', 'markdown', 'csv'];

/** Opens extraction. `folder`: where files are stored while they are read. */
export function createExtraction(limits: Partial<Limits> = {}, folder = tmpdir()): Extraction {
  const inTurn = createTurnsByKey(turns);
  const whole = { ...usualLimits, ...limits };

  async function read<T>(
    file: FileToRead,
    ask: Pick<Task, 'language' | 'mostText'>,
    use: (answers: Answers) => Promise<T>,
  ) {
    const place = await mkdtemp(join(folder, 'thalamus-file-'));
    try {
      const path = 'path' in file ? file.path : join(place, 'in');
      if ('bytes' in file) await writeFile(path, file.bytes);
      const out = join(place, 'out');
      const { filename, mimeType } = file;
      const { size } = await stat(path);
      const task = { path, out, file: { filename, mimeType }, limits: limitBySize(size, whole), ...ask };
      await inTurn(file.turnOf, () => runChild(task));
      return await use(readAnswers(out));
    } catch (error) {
      throw error instanceof FileError ? new AppError(error.code, error.message) : error;
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }

  return {
    text: (file, mostText) =>
      read(file, { language: null, mostText }, async (answers) => {
        const first = await takeFirstAnswer(answers);
        if (first.kind !== 'text') throw new Error('the reading process returned no text');
        return { text: first.text, title: first.title };
      }),
    async document(file, language, use) {
      const short = 'bytes' in file ? await scanInProcess(file, language) : null;
      if (short) return use(short.about, short.passages);
      return read(file, { language, mostText: 0 }, async (answers) => {
        const first = await takeFirstAnswer(answers);
        if (first.kind !== 'document') throw new Error('the reading process returned no document');
        return use(first, collectPassageBatches(answers));
      });
    },
  };
}

/**
 * Plain text needs no third-party library, and a short text is scanned in milliseconds, so no process is started for
 * it.
 */
async function scanInProcess({ bytes, ...file }: NamedFile & { bytes: Uint8Array }, language: string) {
  const format = detectFormat(bytes, file);
  if (bytes.length > shortText || !format || !plainFormats.includes(format)) return null;
  try {
    const { text, ...about } = await readText(Buffer.from(bytes), file, usualLimits);
    const scanned = await scan(text, getAnalyser(language));
    const passages = scanned.passages.map((passage, position) => buildScannedPassage(text, passage, position));
    const { lines, constellations } = scanned;
    const fullAbout = { ...about, characters: text.length, lines, passages: passages.length, constellations };
    return { about: fullAbout, passages: toSingleBatch(passages) };
  } catch (error) {
    throw error instanceof FileError ? new AppError(error.code, error.message) : error;
  }
}

const analysers = new Map<string, AnalyseText>();

function getAnalyser(language: string): AnalyseText {
  const known = analysers.get(language) ?? createAnalyser(language);
  analysers.set(language, known);
  return known;
}

async function* toSingleBatch(passages: ScannedPassage[]): AsyncGenerator<ScannedPassage[]> {
  yield passages;
}

type Answers = AsyncGenerator<Answer>;

async function* readAnswers(path: string): Answers {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
    yield JSON.parse(line) as Answer; // written by `child.ts`
}

async function takeFirstAnswer(answers: Answers): Promise<Exclude<Answer, { kind: 'error' }>> {
  const { value } = await answers.next();
  if (!value) throw new Error('the reading process returned nothing');
  if (value.kind === 'error') throw new FileError(value.message, value.code);
  return value;
}

async function* collectPassageBatches(answers: Answers): AsyncGenerator<ScannedPassage[]> {
  let batch: ScannedPassage[] = [];
  for await (const answer of answers) {
    if (answer.kind !== 'passage') continue;
    batch.push(answer);
    if (batch.length < perBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length) yield batch;
}
