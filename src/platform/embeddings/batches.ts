const mostTexts = 32;
/** About 15,000 English tokens: far below the limit of the usual endpoints. */
const mostCharacters = 60_000;

/** Splits texts into batches, one for each request. A text longer than a batch gets its own. */
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
