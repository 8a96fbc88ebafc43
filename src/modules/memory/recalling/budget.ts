// Limits an answer to an approximate number of tokens.

const charactersPerToken = 4;
/** The share of the remaining budget that one text may take. */
const partOfText = 0.125;
/** The lengths to which contents are shortened, one after another, until all items of a list fit. */
const shorterLengths = [8_000, 4_000, 2_000, 1_000, 500, 250, 120];
/** Space for each later list, to report that nothing of it fits. */
const noteLength = 40;

/** Part of a list; `whole` has the total number, and the operation that returns the omitted items. */
type WholeList = { readonly total?: number | string; readonly rest: string; readonly most?: number };

export type Budget = ReturnType<typeof createBudget>;

/** Spends a budget in the order of requests, and reports what it cut. `lists`: the number of lists. */
export function createBudget(maxTokens: number, reservedCharacters: number, lists: number) {
  let left = maxTokens * charactersPerToken - reservedCharacters - lists * noteLength;
  const truncated: string[] = [];

  function say(name: string, cut: string, rest: string): void {
    const note = `${name}: ${cut}`;
    const whole = `${note}; ${rest}`;
    const isRoom = whole.length - note.length <= left;
    truncated.push(isRoom ? whole : note);
    left -= Math.max(0, (isRoom ? whole : note).length + 3 - noteLength);
  }

  return {
    truncated,
    /** As many items as fit, in order. Long contents are shortened before an item is omitted. */
    items<Item extends object>(name: string, items: readonly Item[], { total, rest, most = left }: WholeList): Item[] {
      const kept = selectFittingItems(items, Math.min(most, left));
      for (const item of kept) left -= measureItem(item);
      left += noteLength;
      const shortened = kept.filter((item) => !items.includes(item)).length;
      const all = total ?? items.length;
      if (kept.length === all && shortened === 0) return kept;
      say(name, `${kept.length} of ${all}${shortened > 0 ? `, ${shortened} shortened` : ''}`, rest);
      return kept;
    },
    /** A text, or as much of it as fits into an eighth of the remaining budget. */
    text(name: string, text: string, rest: string): string {
      const most = Math.max(0, Math.floor(partOfText * left));
      const kept = shortenText(most, text);
      left -= kept.length;
      if (kept !== text) say(name, `the first ${most} of ${text.length} characters`, rest);
      return kept;
    },
  };
}

/**
 * The items that fit, with the longest contents at which all fit; if not all can fit, those that fit with the shortest
 * contents.
 */
function selectFittingItems<Item extends object>(items: readonly Item[], room: number): Item[] {
  let kept = [...items];
  for (const length of [Infinity, ...shorterLengths]) {
    kept = items.map((item) => shortenItem(item, length));
    if (kept.reduce((sum, item) => sum + measureItem(item), 0) <= room) return kept;
  }
  let left = room;
  return kept.filter((item) => {
    const length = measureItem(item);
    if (length > left) return false;
    left -= length;
    return true;
  });
}

/** An item with at most this much content, and as many of its topics and triggers as fit into the same length. */
function shortenItem<Item extends object>(item: Item, length: number): Item {
  const { content, topics, triggers } = item as { content?: unknown; topics?: unknown; triggers?: unknown };
  const shorter = {
    ...(typeof content === 'string' && content.length > length && { content: shortenText(length, content) }),
    ...(isLonger(topics, length) && { topics: takeFirstItems(topics, length) }),
    ...(isLonger(triggers, length) && { triggers: takeFirstItems(triggers, length) }),
  };
  return Object.keys(shorter).length > 0 ? { ...item, ...shorter } : item;
}

function isLonger(list: unknown, length: number): list is readonly unknown[] {
  return Array.isArray(list) && measureItem(list) > length;
}

/** The first items whose total length is within a limit. */
function takeFirstItems(items: readonly unknown[], length: number): readonly unknown[] {
  let left = length;
  const end = items.findIndex((item) => (left -= measureItem(item)) < 0);
  return end < 0 ? items : items.slice(0, end);
}

function shortenText(length: number, text: string): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

function measureItem(item: unknown): number {
  return JSON.stringify(item).length + 1;
}

/** The first hits that fit; if the first hit alone is too long, as much of its content as fits. */
export function limitToBudget<Hit extends { content: string }>(maxTokens: number | undefined, hits: Hit[]): Hit[] {
  const [first] = hits;
  if (maxTokens === undefined || !first) return hits;
  let left = maxTokens * charactersPerToken;
  // The next page begins with the first hit that does not fit, so that none is skipped.
  const end = hits.findIndex((hit) => (left -= measureItem(hit)) < 0);
  if (end !== 0) return end < 0 ? hits : hits.slice(0, end);
  const beside = JSON.stringify({ ...first, content: '' }).length;
  return [{ ...first, content: shortenText(Math.max(0, maxTokens * charactersPerToken - beside), first.content) }];
}
