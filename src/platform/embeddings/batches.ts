const mostTexts = 32;
/** About 15,000 tokens of English: well below what any of the usual endpoints takes at once. */
const mostCharacters = 60_000;

/** Splits texts into batches for one request each. A text that is longer than a batch goes alone. */
export function splitIntoBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last && last.length < mostTexts && characters + text.length <= mostCharacters) {
      last.push(text);
      characters += text.length;
    } else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}
