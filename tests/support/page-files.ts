// Pages with files, as a sync stores them, for tests that need no provider.
import { listAwaitedAttachments, keepAttachment, upsertPages } from '#modules/pages';
import { newId } from '#platform/clock';
import { createTransactions, createOwnerPool } from '#platform/database';
import { Kysely, PostgresDialect } from 'kysely';
import type { TestServer } from './server.ts';

/** Stores a page whose files are these; `null` for the bytes of one that is still to be fetched. */
export async function addPageWithFiles(
  server: TestServer,
  brainId: string,
  { title, files }: { title: string; files: Readonly<Record<string, Uint8Array | null>> },
): Promise<void> {
  const pool = createOwnerPool({ connectionString: server.connectionString }, 2);
  const transactions = createTransactions(new Kysely({ dialect: new PostgresDialect({ pool }) }));
  const { rows } = await pool.query('select workspace_id from brains where id = $1', [brainId]);
  const workspaceId = String(rows[0].workspace_id);
  const transact = <T>(work: Parameters<typeof transactions.run<T>>[2]) => transactions.run(workspaceId, 'write', work);
  try {
    const attachments = Object.keys(files).map((name) => ({
      ref: name,
      filename: name,
      mime_type: 'text/plain',
      size: files[name]?.length ?? 9,
      message_id: 'message',
      handle: { account: 'secret-handle' },
    }));
    const about = { source: 'test:files', type: 'email', body: 'See attached.', frontmatter: {} };
    const page = { ...about, title, sourceRef: title, attachments, occurredAt: new Date('2026-01-01T00:00:00Z') };
    const awaited = await transact(async (db) => {
      const [stored] = await upsertPages(db, [page], { workspaceId, brainId, at: new Date(), newId });
      return listAwaitedAttachments(db, { brainId, of: { pageIds: [String(stored?.id)] } });
    });
    for (const { id, filename } of awaited) {
      const bytes = files[filename];
      if (!bytes) continue;
      await keepAttachment(
        {
          workspaceId,
          newId,
          transact: (work) => transact((db) => work(db, new Date())),
          jobs: { enqueue: () => Promise.reject(new Error('plain text needs no job')) },
        },
        id,
        {
          filename,
          mimeType: 'text/plain',
          bytes: (async function* () {
            yield bytes;
          })(),
          readText: (beginning) => Buffer.from(beginning).toString('latin1', 0, 1_000),
        },
      );
    }
  } finally {
    await pool.end();
  }
}
