// Finds the brain for an item that no rule places.
import type { Context } from '#kernel/context';
import { findBrains } from '#modules/brains';
import { listStemsInLanguage, extractTopics } from '#modules/memory';
import type { QueryVector } from '#platform/embeddings';
import type { Search } from '#platform/search';
import { combine, fitByDescription, fitByLessons, type BrainFit, type Item } from './signals.ts';
import { listLessons } from './store/reviews.ts';

/** From this confidence on, an item is placed without a review. Chosen with `npm run bench routing`. */
const sureFrom = 0.45;
const likeAsked = 20;
const longestQuestion = 1_500;
const mostLessons = 200;

export type BrainScore = { brainId: string; confidence: number; isSure: boolean; fits: BrainFit[] };

/** Scores brains for an item. The confidence is the share of all signals that support the best brain. */
export async function score(
  ctx: Context,
  search: Search,
  { item, brainIds, meaning }: { item: Item; brainIds: readonly string[]; meaning: QueryVector | null },
): Promise<BrainScore> {
  const question = buildQuestion(item.content);
  const [brains, lessons, like] = await Promise.all([
    findBrains(ctx.db, brainIds),
    listLessons(ctx.db, brainIds, mostLessons),
    search.find({
      workspaceId: ctx.caller.workspaceId,
      brainIds,
      text: question,
      kinds: ['memory'],
      limit: likeAsked,
      offset: 0,
      ignoresTimes: true,
      ...(meaning && { meaning }),
    }),
  ]);
  const content = new Map<string, number>();
  for (const { brainId, score: points } of like.hits) content.set(brainId, (content.get(brainId) ?? 0) + points);
  const fits = combine(brainIds, {
    content,
    description: fitByDescription(item.content, brains),
    lessons: fitByLessons(item, listStemsInLanguage('en', item.content), lessons),
  });
  const [best, next] = fits;
  const confidence = Math.round((best?.share ?? 0) * 100) / 100;
  const isAhead = (best?.share ?? 0) - (next?.share ?? 0) > 0.02;
  return { brainId: best?.brainId ?? '', confidence, isSure: confidence >= sureFrom && isAhead, fits };
}

/** The topics of an item, without characters that search would read as operators. */
function buildQuestion(content: string): string {
  const topics = extractTopics(content).join(' ');
  return `${topics} ${content}`.slice(0, longestQuestion).replaceAll(/["-]/g, ' ').trim() || 'nothing';
}

/** The lesson from a person's decision about an item. */
export function listLessonStems(content: string): string[] {
  return [...listStemsInLanguage('en', content)].slice(0, 60);
}
