// Distinguishes questions from statements without a language model. The rules are in the README, so that people can
// know them.

/** First words of questions, in the most frequent languages of brains. */
const questionWords = new Set(
  [
    'what who whom whose when where why which how',
    'wer wen wem wann wo wohin woher warum wieso weshalb welche welcher welches wie',
    'que qui quand où pourquoi comment quel quelle quels quelles combien',
    'qué quién quiénes cuándo dónde cómo cuál cuáles cuánto cuánta cuántos cuántas',
    'che chi quando dove perché come quale quali quanto',
  ].flatMap((words) => words.split(' ')),
);

/** Longer texts are stories: «When I was in Paris I met a man who …». */
const mostWords = 12;

/**
 * Whether a text is a question: it ends with a question mark, or is one short line that begins with a question word and
 * has no full stop.
 */
export function isQuestion(text: string): boolean {
  const said = text.trim();
  if (/[?？؟]["'»”)\s]*$/.test(said)) return true;
  const words = said.split(/\s+/);
  const first = words[0]?.toLowerCase().split(/['’]/, 1)[0] ?? '';
  return questionWords.has(first) && words.length <= mostWords && !/[.!,:;\n]/.test(said);
}
