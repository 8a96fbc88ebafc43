// The search thread: it has the indexes and a few database connections.
import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'pg';
import { answerFind, answerSimilar } from './answer.ts';
import { answerWithMeaning } from './answer-with-meaning.ts';
import PQueue from 'p-queue';
import { createBrainIndexes, type ReportLoad } from './brain-indexes.ts';
import type { Notice, Request, Response, WorkerSettings } from './messages.ts';
import { keepTicking, withUseMarks } from './marks.ts';
import { createPassageIndexes } from './passage-indexes.ts';
import { findPassagesWithMeaning } from './passages-with-meaning.ts';
import { createRowGuard } from './row-guard.ts';
import { rehearseIndexing } from './rehearse.ts';

const closeTimeoutMs = 2_000;

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');

// The thread that starts this one passes exactly this.
const { connection, memoryMb, marks, skippedRows } = workerData as WorkerSettings;
/** Concurrent loads: they share the thread, so that a small brain does not wait for a large one. */
const mostLoads = 4;
const pool = new Pool({ ...connection, max: mostLoads + 1, application_name: 'thalamus-search' });
// A broken connection fails its query and is replaced; without a listener on each it would end this thread.
pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
const memoryBytes = memoryMb * 1024 * 1024;
const guard = createRowGuard(marks, skippedRows);
const loads = new PQueue({ concurrency: mostLoads });
const loadInTurn = <T>(load: () => Promise<T>): Promise<T> => loads.add(load);
const reportLoad: ReportLoad = (brainId, progress) => port.postMessage({ brainId, progress } satisfies Notice);
const indexes = createBrainIndexes({ pool, memoryBytes, guard, inTurn: loadInTurn, reportLoad });
const passages = createPassageIndexes({ pool, memoryBytes, guard, inTurn: loadInTurn });

keepTicking(marks);

let isIdle = true;
port.on('message', (request: Request | 'close') => {
  isIdle = false;
  if (request === 'close') close();
  else void respond(request).then((response) => port.postMessage(response));
});

// The first search should not wait for a connection.
void pool.query('select').catch(() => {});
void rehearseIndexing(() => isIdle);

/** Ends itself: a thread that is ended from outside while native code runs crashes the process. */
function close(): void {
  setTimeout(() => process.exit(), closeTimeoutMs).unref();
  void pool.end().finally(() => port?.close());
}

async function respond(request: Request): Promise<Response> {
  const { number } = request;
  try {
    const answer = await answerTo(request);
    return { number, answer };
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { number, failure: { message, ...(stack && { stack }) } };
  }
}

function answerTo(request: Request): Promise<unknown> {
  const marked = withUseMarks(request.number, indexes, marks);
  if (request.call === 'passages') {
    const { meaning } = request.query;
    const doors = { passages, indexes: marked };
    return meaning ? findPassagesWithMeaning(doors, request.query, meaning) : passages.find(request.query);
  }
  if (request.call === 'similar') return answerSimilar(marked, request.query);
  const { query } = request;
  return query.meaning ? answerWithMeaning(marked, query, query.meaning) : answerFind(marked, query);
}
