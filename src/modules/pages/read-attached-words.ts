// Reads the words of PDF and Office files of pages, after their bytes are stored.
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { defineJob, type Job, type Round } from '#kernel/module';
import { withoutSignInTokens } from '#modules/accounts';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { queryWorkspaceIds } from '#platform/database';
import { isCodedText, type Extraction } from '#platform/extraction';
import type { Jobs } from '#platform/jobs';
import { createTurns } from '#platform/turns';
import { sql } from 'kysely';
import { getAttachmentFiles } from './attachment-files.ts';
import { lockAttachmentPage } from './store/attachments.ts';
import { findAwaitedWords, noteWords, touchLeftWords, type ReadWords } from './store/attached-words.ts';

const jobName = 'pages.attached-words';
/** The same limit as for a plain file: about 80 printed pages. */
const longestText = 200_000;
/** A file that no job has read for this long is tried again. */
const leftAfterMs = 24 * 60 * 60 * 1000;
const mostAtOnce = 50;
/** Errors about the file itself: a retry does not help. */
const ofFile: readonly string[] = ['invalid_input', 'payload_too_large'];

/**
 * The job that extracts the words of one file. A process reads one file at a time, so that people's uploads need not
 * wait.
 */
export function readWordsJob(ground: Ground): Job {
  const { transactions, extraction } = ground;
  const files = getAttachmentFiles(ground);
  const inTurn = createTurns(1);
  return defineJob<{ workspaceId: string; id: string }>(jobName, ({ workspaceId, id }) =>
    inTurn(async () => {
      const awaited = await transactions.run(workspaceId, 'read', (db) => findAwaitedWords(db, id));
      const file = awaited && (await files(workspaceId, id));
      if (!file) return;
      const { filename, mimeType } = file;
      const bytes = new Uint8Array(await new Response(file.body).arrayBuffer());
      const words = await readFileWords(extraction, { bytes, filename, mimeType, turnOf: workspaceId });
      await transactions.run(workspaceId, 'write', async (db) => {
        const page = await lockAttachmentPage(db, id);
        if (page !== undefined) await noteWords(db, { id, page, sha256: awaited.sha256, at: now() }, words);
      });
    }),
  );
}

/** Enqueues the extraction of a file's words, in the transaction. */
export async function enqueueWords(jobs: Pick<Jobs, 'enqueue'>, db: Db, workspaceId: string, id: string) {
  await jobs.enqueue(db, jobName, { workspaceId, id });
}

/**
 * Once a minute: requests extraction for files that were stored before this server could read them, or whose job gave
 * up a day ago.
 */
export function createUnreadWordsRound(ground: Ground): Round {
  return {
    name: 'pages.left-words',
    findWorkspaces: (db) => queryWorkspaceIds(db, sql`workspaces_with_left_words(${computeUnreadSince()})`),
    run: (workspaceId) => enqueueLeftWords(ground, workspaceId),
  };
}

const computeUnreadSince = () => new Date(now().getTime() - leftAfterMs);

async function enqueueLeftWords({ transactions, jobs }: Ground, workspaceId: string): Promise<void> {
  await transactions.run(workspaceId, 'write', async (db) => {
    const left = await touchLeftWords(db, { before: computeUnreadSince(), at: now(), limit: mostAtOnce });
    for (const id of left) await enqueueWords(jobs, db, workspaceId, id);
  });
}

type File = { bytes: Uint8Array; filename: string; mimeType: string; turnOf: string };

async function readFileWords(extraction: Extraction, file: File): Promise<ReadWords> {
  if (!isCodedText(file.bytes, file)) return { state: 'none', text: null, reason: null };
  try {
    const { text } = await extraction.text(file, longestText);
    return { state: 'read', text: withoutSignInTokens(text.trim()), reason: null };
  } catch (error) {
    if (!(error instanceof AppError) || !ofFile.includes(error.code)) throw error;
    return { state: 'failed', text: null, reason: `Its text cannot be read. ${error.message}` };
  }
}
