// Data of each word, found by the position of the word in a text. A known word need not be cut out of the text, which
// makes reading a hundred thousand texts fast.

export type WordTable<T> = {
  /** The data of the word in a text from `start` to before `end`. */
  find(text: string, start: number, end: number): T | undefined;
  /** Stores a new word. */
  add(word: string, known: T): void;
  readonly size: number;
};

const empty = -1;

/** A hash table with open addressing; never more than half full. */
export function createWordTable<T>(): WordTable<T> {
  const words: string[] = [];
  const values: T[] = [];
  let slots = new Int32Array(1_024).fill(empty);

  /** The slot of a word, or a free slot for it. */
  function findSlot(text: string, start: number, end: number): number {
    const mask = slots.length - 1;
    let slot = hashRange(text, start, end) & mask;
    while (slots[slot] !== empty && !isWordAt(words[slots[slot]!]!, text, start, end)) slot = (slot + 1) & mask;
    return slot;
  }

  function grow(): void {
    slots = new Int32Array(slots.length * 2).fill(empty);
    words.forEach((word, number) => (slots[findSlot(word, 0, word.length)] = number));
  }

  return {
    find(text, start, end) {
      const number = slots[findSlot(text, start, end)]!;
      return number === empty ? undefined : values[number];
    },
    add(word, known) {
      if (words.length * 2 >= slots.length) grow();
      slots[findSlot(word, 0, word.length)] = words.push(word) - 1;
      values.push(known);
    },
    get size() {
      return words.length;
    },
  };
}

/** FNV-1a over UTF-16 units. */
function hashRange(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}

function isWordAt(word: string, text: string, start: number, end: number): boolean {
  const { length } = word;
  if (length !== end - start) return false;
  for (let at = 0; at < length; at += 1) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}
