// The vectors of one brain in one flat array, searched completely: exact, so filters and deletions need no special
// care.
import type { exactSearch } from 'usearch';

/** Part of usearch, which is loaded with the first vectors. */
export type ExactSearch = typeof exactSearch;

export type NearVector = {
  readonly id: string;
  /** The cosine of the item's nearest piece. */
  readonly similarity: number;
  /** Where in the item this piece is, from 0 to below 1. */
  readonly at: number;
};

export type VectorSet = {
  readonly space: string;
  /** Its size in memory. */
  readonly bytes: number;
  readonly count: number;
  put(id: string, part: number, code: Int8Array): void;
  remove(id: string, part: number): void;
  /** The nearest items that are accepted, nearest first. */
  nearest(query: Int8Array, limit: number, accepts: (id: string) => boolean): NearVector[];
  /** The cosine of an item's nearest piece; null when it has no vector. */
  similarity(id: string, query: Int8Array): number | null;
  /** Cosines of up to this many pieces, from all over the set. */
  sample(query: Int8Array, most: number): number[];
};

const firstRoom = 64;
/** A piece's id, number and position, stored beside its code. */
const bytesPerEntry = 150;

/** An empty set for vectors of a space, such as `text-embedding-3-small/1536`. */
export function createVectorSet(space: string, search: ExactSearch): VectorSet {
  const dimensions = Number(space.slice(space.lastIndexOf('/') + 1));
  const table = createTable(dimensions);
  const { pieces, places, codeAt } = table;
  return {
    space,
    get bytes() {
      return table.bytes();
    },
    get count() {
      return pieces.length;
    },
    put(id, part, code) {
      if (code.length === dimensions) table.claim(id, part).set(code);
    },
    remove: table.remove,
    nearest(query, limit, accepts) {
      for (let asked = 2 * limit; pieces.length > 0; asked *= 4) {
        const wanted = Math.min(asked, pieces.length);
        const found = search(table.all(), query, dimensions, wanted, 'cos' as never, 1); // an enum of such words
        const near = listNearestItems(found, table, limit, accepts);
        if (near.length === limit || wanted === pieces.length) return near;
      }
      return [];
    },
    similarity(id, query) {
      const parts = places.get(id);
      return parts ? Math.max(...[...parts.values()].map((place) => computeCodeCosine(codeAt(place), query))) : null;
    },
    sample(query, most) {
      const step = Math.max(1, Math.ceil(pieces.length / most));
      const cosines: number[] = [];
      for (let place = 0; place < pieces.length; place += step) cosines.push(computeCodeCosine(codeAt(place), query));
      return cosines;
    },
  };
}

/** Codes side by side without gaps, and where the code of each piece is. */
function createTable(dimensions: number) {
  let codes = new Int8Array(firstRoom * dimensions);
  const pieces: { readonly id: string; readonly part: number }[] = [];
  const places = new Map<string, Map<number, number>>();
  const codeAt = (place: number) => codes.subarray(place * dimensions, (place + 1) * dimensions);
  return {
    pieces,
    places,
    codeAt,
    all: () => codes.subarray(0, pieces.length * dimensions),
    bytes: () => codes.length + pieces.length * bytesPerEntry,

    /** The index of a piece's code. */
    claim(id: string, part: number): Int8Array {
      const parts = places.get(id) ?? new Map<number, number>();
      places.set(id, parts);
      const known = parts.get(part);
      if (known !== undefined) return codeAt(known);
      const place = pieces.push({ id, part }) - 1;
      parts.set(part, place);
      if (pieces.length * dimensions > codes.length) {
        const larger = new Int8Array(Math.ceil(codes.length * 1.5));
        larger.set(codes);
        codes = larger;
      }
      return codeAt(place);
    },

    /** The last piece moves to the free position. */
    remove(id: string, part: number): void {
      const parts = places.get(id);
      const place = parts?.get(part);
      const last = pieces.at(-1);
      if (!parts || place === undefined || !last) return;
      codeAt(place).set(codeAt(pieces.length - 1));
      pieces[place] = last;
      places.get(last.id)?.set(last.part, place);
      pieces.pop();
      parts.delete(part);
      if (parts.size === 0) places.delete(id);
    },
  };
}

type NearestKeys = { readonly keys: BigUint64Array; readonly distances: Float32Array };

/** Each item once, by its nearest piece. */
function listNearestItems(
  found: NearestKeys,
  { pieces, places }: Pick<ReturnType<typeof createTable>, 'pieces' | 'places'>,
  limit: number,
  accepts: (id: string) => boolean,
): NearVector[] {
  const near = new Map<string, NearVector>();
  for (let at = 0; at < found.keys.length && near.size < limit; at += 1) {
    const piece = pieces[Number(found.keys[at])];
    if (!piece || near.has(piece.id) || !accepts(piece.id)) continue;
    const { id, part } = piece;
    near.set(id, { id, similarity: 1 - found.distances[at]!, at: part / (places.get(id)?.size ?? part + 1) });
  }
  return [...near.values()];
}

function computeCodeCosine(one: Int8Array, other: Int8Array): number {
  let product = 0;
  let ofOne = 0;
  let ofOther = 0;
  for (let at = 0; at < one.length; at += 1) {
    const a = one[at]!;
    const b = other[at]!;
    product += a * b;
    ofOne += a * a;
    ofOther += b * b;
  }
  return ofOne > 0 && ofOther > 0 ? product / Math.sqrt(ofOne * ofOther) : 0;
}
