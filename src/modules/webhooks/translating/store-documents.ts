// Stores the documents of an event. Each fails alone, and all are in one transaction with the event's outcome.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { ingestItem, type Sender } from '#modules/ingest';
import type { Jobs } from '#platform/jobs';
import type { Search } from '#platform/search';
import { sql } from 'kysely';
import type { DocumentRow, EventRow } from '../store/tables.ts';
import type { TranslatedDocument } from './documents.ts';

type Deps = { search: Search; jobs: Jobs };
/** The owner of the documents, and the brain of those that name none. */
type EventOrigin = { connectorId: string; brainId: string; sender: Sender };

/** Stores them and returns the outcome of each. */
export async function storeDocuments(
  ctx: Context,
  deps: Deps,
  origin: EventOrigin,
  event: Pick<EventRow, 'id' | 'received_at'>,
  documents: readonly TranslatedDocument[],
): Promise<DocumentRow[]> {
  const stored: DocumentRow[] = [];
  for (const [at, document] of documents.entries()) {
    await sql`savepoint document`.execute(ctx.db);
    const row = await storeOne(ctx, deps, origin, { event, document, at }).catch(async (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      await sql`rollback to savepoint document`.execute(ctx.db);
      return buildFailedRow(document, error);
    });
    await sql`release savepoint document`.execute(ctx.db);
    stored.push(row);
  }
  return stored;
}

type DocumentOfEvent = { event: Pick<EventRow, 'id' | 'received_at'>; document: TranslatedDocument; at: number };

async function storeOne(
  ctx: Context,
  deps: Deps,
  { connectorId, brainId, sender }: EventOrigin,
  { event, document, at }: DocumentOfEvent,
) {
  const { content, source_id, source_channel, source_user, author, occurred_at, target_brain_id } = document;
  const answer = await ingestItem(
    ctx,
    deps,
    {
      content,
      // The sender chooses the ids, so equal ids of two connectors are different items.
      source_id: `webhook:${connectorId}:${source_id || `event:${event.id}:${at}`}`,
      source_channel: source_channel || undefined,
      source_user: source_user || undefined,
      author: author || undefined,
      occurred_at: occurred_at ?? event.received_at.toISOString(),
      target_brain_id: target_brain_id ?? brainId,
    },
    { sender, metadata: buildMetadata(document) },
  );
  return {
    id: answer.id,
    brain_id: answer.brain_id,
    action: answer.dedup.action,
    source_id: source_id || null,
    type: document.type || null,
    tags: document.tags ?? [],
    error: null,
  };
}

/** Type and tags are part of the metadata, so that all facts about a document are in one field. */
function buildMetadata({ metadata, type, tags }: TranslatedDocument): Record<string, unknown> | null {
  const said = { ...metadata, ...(type && { type }), ...(tags?.length && { tags }) };
  return Object.keys(said).length ? said : null;
}

function buildFailedRow(
  { source_id, type, tags, target_brain_id }: TranslatedDocument,
  { message }: AppError,
): DocumentRow {
  return {
    id: null,
    brain_id: target_brain_id ?? null,
    action: 'failed',
    source_id: source_id || null,
    type: type || null,
    tags: tags ?? [],
    error: message,
  };
}
