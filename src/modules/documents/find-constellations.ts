// Hits of documents for a search over memories.
import type { Context } from '#kernel/context';
import type { QueryVector } from '#platform/embeddings';
import { computeConfidence, readOperators, type FoundPassage, type Search, type SearchField } from '#platform/search';
import { findConstellations, findPassages } from './store.ts';

const mostText = 600;
/** How much each doubling of lessons from a document raises its rank. */
const referenceBoost = 0.15;
/** Phrases and exclusions are searched in this many texts. */
const readAgain = 100;

type ConstellationQuery = {
  text: string;
  brainIds: readonly string[];
  since?: Date | undefined;
  until?: Date | undefined;
  /** The embedding of the text, if an embedder is set. */
  meaning?: QueryVector;
};

/** The constellations of documents that answer a query, best first, as `search_memory` shows them. */
export function createFindConstellations(search: Search) {
  return async (ctx: Context, { text, brainIds, since, until, meaning }: ConstellationQuery, most: number) => {
    const { words, phrases, exclusions } = readOperators(text);
    const query = { workspaceId: ctx.caller.workspaceId, brainIds, text: [words, ...phrases].join(' ') };
    const found = (await search.findPassages({ ...query, ...(meaning && { meaning }) })).hits;
    if (!found.length) return { hits: [], total: 0, confidence: 0 };
    const rows = new Map(
      (
        await findConstellations(
          ctx.db,
          found.map((each) => each.constellationId),
        )
      ).map((row) => [row.id, row]),
    );
    const ranked = sortByRank(
      found.flatMap((hit) => {
        const row = rows.get(hit.constellationId);
        if (!row || (since && row.created_at < since) || (until && row.created_at >= until)) return [];
        return [{ hit, row, rank: hit.rank * (1 + referenceBoost * Math.log2(1 + row.reference_count)) }];
      }),
    );
    const isStrict = phrases.length + exclusions.length > 0;
    const texts = await readPassageTexts(
      ctx,
      ranked.slice(0, isStrict ? readAgain : most).map(({ hit }) => hit),
    );
    const fitting = isStrict
      ? ranked.filter(({ hit }) => isTextMatching(texts.get(buildPassageKey(hit)), phrases, exclusions))
      : ranked;
    return {
      total: fitting.length,
      confidence: Math.max(
        computeConfidence(fitting[0]?.hit.share ?? null),
        ...fitting.map(({ hit }) => hit.standsOut),
      ),
      hits: fitting
        .slice(0, most)
        .map(({ hit, row, score }) => present(row, hit, score, texts.get(buildPassageKey(hit)) ?? '')),
    };
  };
}

type Row = Awaited<ReturnType<typeof findConstellations>>[number];

/** Best first; scores that are comparable with those of memories are assigned in this order. */
function sortByRank(found: { hit: FoundPassage; row: Row; rank: number }[]) {
  const scores = found.map(({ hit }) => hit.score).toSorted((one, other) => other - one);
  return found.toSorted((one, other) => other.rank - one.rank).map((each, at) => ({ ...each, score: scores[at]! }));
}

async function readPassageTexts(ctx: Context, hits: readonly FoundPassage[]): Promise<Map<string, string>> {
  const passages = await findPassages(ctx.db, hits);
  return new Map(passages.map(({ document_id, position, text }) => [`${document_id} ${position}`, text]));
}

function buildPassageKey({ documentId, position }: FoundPassage): string {
  return `${documentId} ${position}`;
}

function isTextMatching(text: string | undefined, phrases: readonly string[], exclusions: readonly string[]): boolean {
  if (text === undefined) return false;
  const plain = text.toLowerCase().replaceAll(/\s+/g, ' ');
  const has = (words: string) => plain.includes(words.toLowerCase());
  return phrases.every(has) && !exclusions.some(has);
}

function listMatchedFields({ isByWords, standsOut }: FoundPassage): SearchField[] {
  return [...(isByWords ? ['body' as const] : []), ...(standsOut > 0 ? ['meaning' as const] : [])];
}

function present(row: Row, hit: FoundPassage, score: number, text: string) {
  const at = row.created_at.toISOString();
  return {
    id: row.id,
    content: row.topics.join(' '),
    type: 'document_constellation' as const,
    salience: 'normal' as const,
    topics: row.topics,
    triggers: [],
    stored_by: row.created_by,
    stored_by_person: row.person_name,
    brain_id: row.brain_id,
    brain_name: row.brain_name,
    source: null,
    author: null,
    thread_id: null,
    occurred_at: at,
    created_at: at,
    relevance_score: score,
    semantic_similarity: hit.similarity === null ? null : Math.round(hit.similarity * 1e4) / 1e4,
    why: { terms: [], fields: listMatchedFields(hit), context: [], links: [] },
    fired: null,
    document_source: {
      document_id: row.document_id,
      document_title: row.title,
      line_ranges: row.line_ranges,
      passage: { line_start: hit.lineStart, line_end: hit.lineEnd, text: text.slice(0, mostText).toWellFormed() },
    },
  };
}
