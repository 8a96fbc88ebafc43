// Keeps an answer to about so many tokens.

const charactersPerToken = 4;
/** How much of what is left one text may take. */
const partOfText = 0.125;

/** Spends a budget in the order of asking, and remembers whom it had to cut. */
export function createBudget(maxTokens: number, reservedCharacters: number) {
  let left = maxTokens * charactersPerToken - reservedCharacters;
  const truncated: string[] = [];
  return {
    truncated,
    /** The first items that still fit; what follows the first that does not is left out. */
    items<Item>(name: string, items: Item[]): Item[] {
      const end = items.findIndex((item) => {
        const length = JSON.stringify(item).length + 1;
        if (length > left) return true;
        left -= length;
        return false;
      });
      if (end < 0) return items;
      truncated.push(name);
      return items.slice(0, end);
    },
    /** A text, or as much of it as an eighth of what is left. */
    text(name: string, text: string): string {
      const most = Math.max(0, Math.floor(partOfText * left));
      const kept = text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
      if (kept !== text) truncated.push(name);
      left -= kept.length;
      return kept;
    },
  };
}

/** The first hits that fit; of the first of all, when it is too long by itself, as much of its content as fits. */
export function withinBudget<Hit extends { content: string }>(maxTokens: number | undefined, hits: Hit[]): Hit[] {
  const [first] = hits;
  if (maxTokens === undefined || !first) return hits;
  const kept = createBudget(maxTokens, 0).items('memories', hits);
  if (kept.length > 0) return kept;
  const beside = JSON.stringify({ ...first, content: '' }).length;
  const most = Math.max(0, maxTokens * charactersPerToken - beside);
  return [{ ...first, content: `${first.content.slice(0, most).toWellFormed()}…` }];
}
