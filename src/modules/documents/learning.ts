// Determines which memories were learned from a document: their author read its lines shortly before, and the words
// agree.
import type { Transactions } from '#kernel/database';
import { createAnalyser } from '#platform/search';
import { sliceLines } from './lines.ts';
import { noteLesson, listReadsBefore } from './lessons-store.ts';
import { listDocumentConstellations, listPassagesInRange } from './store.ts';

/** How long after reading a memory can count as learned from it. */
export const readCountsMs = 60 * 60 * 1000;
const leastShared = 0.3;
const fewestShared = 3;
const mostMemories = 50;
const mostPassages = 60;
const analyse = createAnalyser();

type Deps = { transactions: Transactions; newId: () => string; now: () => Date };

/** Records what these memories were learned from. Repeating it does no harm. */
export async function learnFrom(deps: Deps, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  const ids = memoryIds.slice(0, mostMemories);
  await deps.transactions.run(workspaceId, 'write', async (db) => {
    for (const read of await listReadsBefore(db, ids, readCountsMs)) {
      const range = { start: read.line_start, end: read.line_end };
      const passages = await listPassagesInRange(db, read.document_id, { ...range, limit: mostPassages });
      const text = sliceLines(passages, range)
        .map(({ text: line }) => line)
        .join('\n');
      if (!isLearnedFrom(read.content, text)) continue;
      const best = passages.toSorted(
        (one, other) => countSharedStems(read.content, other.text) - countSharedStems(read.content, one.text),
      )[0];
      const constellations = await listDocumentConstellations(db, read.document_id);
      const topic = constellations.find(({ id }) => id === best?.constellation_id)?.label;
      await noteLesson(db, {
        id: deps.newId(),
        workspace_id: workspaceId,
        document_id: read.document_id,
        memory_id: read.memory_id,
        line_start: best?.line_start ?? range.start,
        line_end: best?.line_end ?? range.end,
        question: `What does “${read.title}” say about ${topic?.replaceAll(' · ', ', ') ?? 'this'}?`,
        answer: read.content,
        created_at: deps.now(),
      });
    }
  });
}

/** Whether a memory has enough of its words from a text. */
function isLearnedFrom(content: string, text: string): boolean {
  const words = collectStems(content);
  const common = countSharedStems(content, text);
  return common >= Math.min(fewestShared, words.size) && common >= leastShared * words.size;
}

function countSharedStems(content: string, text: string): number {
  const known = collectStems(text);
  return [...collectStems(content)].filter((stem) => known.has(stem)).length;
}

function collectStems(text: string): Set<string> {
  return new Set(analyse(text).flatMap(({ stems }) => stems));
}
