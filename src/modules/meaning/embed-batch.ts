// One batch: claim, embed, store. No transaction is open during the request to the embedder.
import type { Db, Transactions } from '#kernel/database';
import { LlmCapReached, type MeteredEmbedders } from '#modules/usage';
import { TextRefused, type MeteredEmbedder } from '#platform/embeddings';
import { encodeVector } from '#platform/search';
import { embeddedCharacters, splitIntoPieces } from './pieces.ts';
import { claimItems, giveBack, delayUntil, putAside, storeCodes, type EmbeddedItem, type Item } from './store.ts';

export type BatchDoors = {
  transactions: Transactions;
  embedder: MeteredEmbedders;
  /** Locks those of these items that can be deleted together with their vectors, until the transaction ends. */
  lockItems(db: Db, ids: readonly string[]): Promise<void>;
  now(): Date;
  newId(): string;
};

/** How many texts were claimed, and their outcomes. */
export type BatchResult = { claimed: number; embedded: number; refused: number; postponed: LlmCapReached | null };

const batchItems = 32;
/** Longer than requests usually take, so that normally only the claim of a dead process expires. */
const leaseMs = 3 * 60_000;
/** When this many texts are refused and none is accepted, the embedder is at fault, not the texts. */
const tooManyRefused = 3;

/** Embeds the newest waiting texts. Throws when the embedder cannot be used; the texts then stay in the queue. */
export async function embedBatch(doors: BatchDoors, workspaceId: string, space: string): Promise<BatchResult> {
  const { transactions, newId } = doors;
  const claim = { workspaceId, space, claim: newId(), forMs: leaseMs };
  const size = { items: batchItems, characters: embeddedCharacters };
  const { claimed, items } = await transactions.run(workspaceId, 'write', (db) => claimItems(db, claim, size));
  try {
    const { embedded, refused, postponed } = await embedForEach(doors.embedder, workspaceId, items);
    if (!embedded.length && refused.length >= tooManyRefused) throw refused[0]?.reason;
    const stored = await transactions.run(workspaceId, 'write', async (db) => {
      for (const { ids, reason } of postponed) await delayUntil(db, claim.claim, ids, reason.resetsAt);
      for (const { item, reason } of refused) await putAside(db, item.id, claim.claim, reason.message);
      await doors.lockItems(
        db,
        embedded.map(({ item }) => item.id),
      );
      return storeCodes(db, claim, embedded);
    });
    return { claimed, embedded: stored, refused: refused.length, postponed: postponed[0]?.reason ?? null };
  } catch (error) {
    await transactions.run(workspaceId, 'write', (db) => giveBack(db, claim)).catch(() => {});
    throw error;
  }
}

type EmbeddedBatch = { embedded: EmbeddedItem[]; refused: { item: Item; reason: TextRefused }[] };

type PostponedTexts = { ids: string[]; reason: LlmCapReached };

/**
 * Embeds each person's texts at that person's cost. Texts of a person at the cap wait; the cap of the workspace is
 * thrown.
 */
async function embedForEach(
  embedder: MeteredEmbedders,
  workspaceId: string,
  items: readonly Item[],
): Promise<EmbeddedBatch & { postponed: PostponedTexts[] }> {
  const all: EmbeddedBatch & { postponed: PostponedTexts[] } = { embedded: [], refused: [], postponed: [] };
  for (const [personId, own] of Map.groupBy(items, (item) => item.personId)) {
    try {
      const { embedded, refused } = await embedItems(embedder.inBackground(workspaceId, personId), own);
      all.embedded.push(...embedded);
      all.refused.push(...refused);
    } catch (reason) {
      if (!(reason instanceof LlmCapReached) || reason.details['daily_cap'] !== 'person') throw reason;
      all.postponed.push({ ids: own.map(({ id }) => id), reason });
    }
  }
  return all;
}

/** All at once; when one is refused, each alone, so that it does not delay the others. */
async function embedItems(embedder: MeteredEmbedder, items: readonly Item[]): Promise<EmbeddedBatch> {
  try {
    return { embedded: await embedAll(embedder, items), refused: [] };
  } catch (error) {
    if (!(error instanceof TextRefused)) throw error;
    const [first] = items;
    if (items.length === 1 && first) return { embedded: [], refused: [{ item: first, reason: error }] };
  }
  const middle = Math.ceil(items.length / 2);
  const halves = [await embedItems(embedder, items.slice(0, middle)), await embedItems(embedder, items.slice(middle))];
  return { embedded: halves.flatMap((half) => half.embedded), refused: halves.flatMap((half) => half.refused) };
}

async function embedAll(embedder: MeteredEmbedder, items: readonly Item[]): Promise<EmbeddedItem[]> {
  const pieces = items.map(({ title, body }) => splitIntoPieces(title, body));
  const vectors = await embedder.embed(pieces.flat());
  let from = 0;
  return items.map((item, at) => {
    const codes = vectors.slice(from, (from += pieces[at]?.length ?? 0)).map(encodeVector);
    return { item, codes };
  });
}
