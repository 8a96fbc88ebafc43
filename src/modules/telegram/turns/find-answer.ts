// Searches everything that the person may read, and replies with the hits.
import { cutAtWord } from '#modules/actions';
import { z } from 'zod';
import { quote, createTextPart, type Reply } from './reply.ts';
import type { Turn } from './turn.ts';

const memories = z.object({
  memories: z.array(z.object({ content: z.string(), brain_name: z.string(), occurred_at: z.string() })),
  confidence: z.number(),
});
const pages = z.object({
  pages: z.array(
    z.object({
      title: z.string(),
      excerpt: z.string(),
      source: z.string().nullable(),
      brain_name: z.string(),
      occurred_at: z.string(),
    }),
  ),
});

const mostMemories = 5;
const mostPages = 3;
const longestQuote = 400;
/** Below this probability `search_memory` itself says that there is probably no answer. */
const doubtful = 0.3;

/** Memories and pages that answer a question, quoted, with place and time. */
export async function findAnswer(turn: Turn, question: string): Promise<Reply> {
  const q = question
    .replaceAll(/[?？؟]/g, ' ')
    .trim()
    .slice(0, 2_000);
  if (!q) return [createTextPart('Write what to look for, such as: /find dentist')];
  const [said, read] = await Promise.all([
    turn.ask('search_memory', { q, limit: mostMemories }),
    turn.ask('search', { q, limit: mostPages }),
  ]);
  const found = memories.parse(said);
  const hits = [
    ...found.memories.map((each) => [quote(cut(each.content)), createTextPart(formatOrigin(each))]),
    ...pages.parse(read).pages.map((each) => {
      const words = each.excerpt ? `${each.title}\n${each.excerpt}` : each.title;
      return [quote(cut(words)), createTextPart(formatOrigin(each, each.source ?? 'page'))];
    }),
  ];
  if (!hits.length) return [createTextPart('I found nothing about that.')];
  const isDoubtful = found.memories.length > 0 && found.confidence < doubtful;
  return [...(isDoubtful ? [createTextPart('No good match. The closest:')] : []), ...hits.flat()];
}

function formatOrigin(
  { brain_name, occurred_at }: { brain_name: string; occurred_at: string },
  source?: string,
): string {
  return `— ${[source, brain_name, occurred_at.slice(0, 10)].filter(Boolean).join(', ')}\n`;
}

/** The beginning of a long text, ending with a whole word. */
export function cut(words: string, most = longestQuote): string {
  return cutAtWord(words, most);
}
