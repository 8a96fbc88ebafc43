// The notice to a caller when rules for English were used in a brain with another language.
import { getLanguageCode } from '#platform/search';

type InferredFields = {
  readonly type?: unknown;
  readonly salience?: unknown;
  readonly triggers?: readonly unknown[] | undefined;
};

/**
 * The rules for English that were used, and the fields to pass instead; null for English brains, and when no rule was
 * used.
 */
export function findLanguageNotice(language: string, memories: readonly InferredFields[]): string | null {
  const code = getLanguageCode(language);
  if (code === 'en') return null;
  const inferred = (['type', 'salience'] as const).filter((field) =>
    memories.some((each) => each[field] === undefined),
  );
  const parts = [
    ...(inferred.length
      ? [`The ${inferred.join(' and ')} come from rules for English: pass ${inferred.join(' and ')}.`]
      : []),
    ...(memories.some(({ triggers }) => triggers?.length)
      ? ['Triggers compare words with English rules. Write conditions in the words that people will use.']
      : []),
  ];
  return parts.length ? `This brain is in the language ${code}. ${parts.join(' ')}` : null;
}
