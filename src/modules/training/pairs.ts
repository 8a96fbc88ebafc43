// Makes pairs from a brain's contents, part by part and page by page, so that a large brain is never completely in
// memory.
import { importedWeight, type Dataset, type Pair, type Part, type Platform } from './pair.ts';
import { buildMemoryQuestion, listSituations } from './questions.ts';
import {
  listEvolvedMemories,
  listImportedPairs,
  listMemoryLessons,
  listLiveMemories,
  type Db,
  type MemoryPair,
} from './store.ts';

type Page = { brainIds: readonly string[]; after: string | null; limit: number };
type Batch = { pairs: Pair[]; next: string | null };

/** Memories about how to act. */
const behavioral = ['constraint', 'preference', 'decision'];
const buildUserMessages = (content: string) => [{ role: 'user' as const, content }];

/** The parts of a dataset, in order. */
export function listDatasetParts(dataset: Dataset): readonly Part[] {
  if (dataset !== 'all') return [dataset];
  return ['domain_sft', 'behavioral_sft', 'imported_sft', 'dpo', 'imported_dpo', 'embedding_triplets'];
}

/** The next pairs of a part; `next` is null at its end. */
export const readPart: Record<Part, (db: Db, page: Page) => Promise<Batch>> = {
  async domain_sft(db, page) {
    const memories = await listLiveMemories(db, page);
    const lessons = Map.groupBy(
      await listMemoryLessons(
        db,
        memories.map(({ id }) => id),
      ),
      ({ memory_id }) => memory_id,
    );
    const pairs = memories.flatMap((memory) => {
      const questions = lessons.get(memory.id)?.map(({ question }) => question) ?? [buildMemoryQuestion(memory)];
      return questions.map((question) => ({
        kind: 'sft' as const,
        prompt: buildUserMessages(question),
        answer: memory.content,
        weight: 1,
      }));
    });
    return buildBatch(pairs, memories, page);
  },
  async behavioral_sft(db, page) {
    const memories = await listLiveMemories(db, page, behavioral);
    const pairs = memories.flatMap((memory) =>
      listSituations(memory).map((situation) => ({
        kind: 'sft' as const,
        prompt: buildUserMessages(situation),
        answer: memory.content,
        weight: 1,
      })),
    );
    return buildBatch(pairs, memories, page);
  },
  async dpo(db, page) {
    const evolved = await listEvolvedMemories(db, page);
    const pairs = evolved
      .filter(({ content, chosen }) => content !== chosen)
      .map((memory) => ({
        kind: 'dpo' as const,
        prompt: buildUserMessages(buildMemoryQuestion({ ...memory, content: memory.chosen })),
        answer: memory.chosen,
        rejected: memory.content,
        weight: 1,
      }));
    return buildBatch(pairs, evolved, page);
  },
  async embedding_triplets(db, page) {
    const memories = await listLiveMemories(db, page);
    const pairs = memories.flatMap((memory, at) => {
      const other = findUnlikeMemory(memory, memories, at);
      if (!other) return [];
      return [
        {
          kind: 'triplet' as const,
          anchor: buildMemoryQuestion(memory),
          positive: memory.content,
          negative: other.content,
        },
      ];
    });
    return buildBatch(pairs, memories, page);
  },
  imported_sft: (db, page) => readImported(db, page, 'sft'),
  imported_dpo: (db, page) => readImported(db, page, 'dpo'),
};

async function readImported(db: Db, page: Page, kind: 'sft' | 'dpo'): Promise<Batch> {
  const rows = await listImportedPairs(db, page, kind);
  const pairs = rows.map(({ prompt, answer, rejected }): Pair => {
    const pair = { prompt, answer, weight: importedWeight };
    return rejected === null ? { kind: 'sft', ...pair } : { kind: 'dpo', ...pair, rejected };
  });
  const last = rows.at(-1);
  return { pairs, next: last && rows.length === page.limit ? `${last.document_id}/${last.position}` : null };
}

function buildBatch(pairs: Pair[], rows: readonly { id: string }[], { limit }: Page): Batch {
  return { pairs, next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null };
}

/** The next memory that shares no topic with this one. */
function findUnlikeMemory(memory: MemoryPair, all: readonly MemoryPair[], at: number): MemoryPair | undefined {
  const own = new Set(memory.topics.map((topic) => topic.toLowerCase()));
  for (let step = 1; step < all.length; step += 1) {
    const other = all[(at + step) % all.length]!;
    if (!other.topics.some((topic) => own.has(topic.toLowerCase()))) return other;
  }
  return undefined;
}

/**
 * Which imported pairs a dataset includes: on a platform without weights, one of ten, which corresponds to a weight of
 * 0.1.
 */
export function isKept(
  part: Part,
  number: number,
  { dataset, platform }: { dataset: Dataset; platform: Platform },
): boolean {
  if (dataset !== 'all' || platform === 'generic' || !part.startsWith('imported_')) return true;
  return number % Math.round(1 / importedWeight) === 0;
}
