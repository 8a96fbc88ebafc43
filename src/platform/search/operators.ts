import { AppError } from '#kernel/errors';

export type Operators = {
  /** The text without the operators; it includes the words of phrases. */
  readonly words: string;
  /** Each of these must appear in the text, word for word. */
  readonly phrases: readonly string[];
  /** None of these words (in any inflection) or phrases may appear in the text. */
  readonly exclusions: readonly string[];
};

const quoted = /(?<![\p{L}\p{N}])(-?)["“”]([^"“”]+)["“”]/gu;
const excluded = /(?<=^|\s)-(?=[\p{L}\p{N}])(\S+)/gu;
/** Each may have to be compared with every text of a brain. */
const mostOperators = 8;

/** Reads `"exact phrase"`, `-word` and `-"phrase"`. */
export function readOperators(text: string): Operators {
  const phrases = new Set<string>();
  const exclusions = new Set<string>();
  const words = text
    .replace(quoted, (_match, minus: string, phrase: string) => {
      (minus === '-' ? exclusions : phrases).add(phrase);
      return minus === '-' ? ' ' : ` ${phrase} `;
    })
    .replace(excluded, (_match, word: string) => {
      exclusions.add(word);
      return ' ';
    });
  return { words, phrases: [...phrases], exclusions: [...exclusions] };
}

/** Refuses a query that would take too long to answer. Throws `invalid_input`. */
export function checkOperators(text: string): void {
  const { phrases, exclusions } = readOperators(text);
  if (phrases.length + exclusions.length <= mostOperators) return;
  throw new AppError(
    'invalid_input',
    `q: at most ${mostOperators} "phrases" and -exclusions together are allowed, and there are ${phrases.length + exclusions.length}. Leave some out.`,
  );
}
