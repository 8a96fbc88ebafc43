import type { Context } from '#kernel/context';
import { memoize } from '#kernel/memoize';
import { findBrains, type Brain } from '#modules/brains';
import { z } from 'zod';
import { createAnalyser, getLanguageCode } from '#platform/search';

export const routingCheck = z.object({
  stored_in: z.object({ brain: z.string(), confidence: z.number() }),
  alternatives: z.array(z.object({ brain: z.string(), confidence: z.number() })),
});
export type RoutingCheck = z.output<typeof routingCheck>;

const readCharacters = 8_000;
const mostLanguages = 32;
const getAnalyser = memoize(mostLanguages, createAnalyser);

/** The stems of a text, or of its beginning when it is long, by the rules of a language. */
export function listStemsInLanguage(language: string, text: string): ReadonlySet<string> {
  const analyse = getAnalyser(getLanguageCode(language));
  return new Set(analyse(text.slice(0, readCharacters)).flatMap(({ stems, wholes }) => [...stems, ...wholes]));
}

/**
 * How well a text with these stems fits a brain, 0 to 1: the cosine between its stems and those of the brain's name,
 * description and routing rules, in the brain's language.
 */
function scoreFit(
  words: ReadonlySet<string>,
  brain: Pick<Brain, 'name' | 'description' | 'routing_rules' | 'language'>,
): number {
  const place = listStemsInLanguage(brain.language, `${brain.name} ${brain.description} ${brain.routing_rules}`);
  const common = [...words].filter((stem) => place.has(stem)).length;
  if (!common) return 0;
  return Math.round((common / Math.sqrt(words.size * place.size)) * 100) / 100;
}

/** The brain of a stored text, and other fitting brains, best first. */
export async function checkRouting(ctx: Context, content: string, storedIn: string): Promise<RoutingCheck> {
  const brains = await findBrains(ctx.db, [...(await ctx.brains()).roles.keys()]);
  const byLanguage = new Map(
    [...new Set(brains.map(({ language }) => language))].map((each) => [each, listStemsInLanguage(each, content)]),
  );
  const getWords = (language: string) => byLanguage.get(language) ?? new Set<string>();
  const fits = brains
    .map((brain) => ({ id: brain.id, brain: brain.name, confidence: scoreFit(getWords(brain.language), brain) }))
    .toSorted((a, b) => b.confidence - a.confidence);
  const own = fits.find((fit) => fit.id === storedIn);
  return {
    stored_in: { brain: own?.brain ?? '', confidence: own?.confidence ?? 0 },
    alternatives: fits
      .filter((fit) => fit.id !== storedIn && fit.confidence > 0)
      .slice(0, 3)
      .map(({ brain, confidence }) => ({ brain, confidence })),
  };
}
