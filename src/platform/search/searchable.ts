export type SearchableKind = 'memory' | 'page';

/** One thing that can be found, as the `searchable` view shows it. */
export type Searchable = {
  readonly id: string;
  readonly kind: SearchableKind;
  /** The product's word for it: `decision`, `email`, … */
  readonly type: string;
  /** How much it matters: `normal`, `elevated`, `critical`; null for what has none. */
  readonly salience: string | null;
  readonly title: string | null;
  readonly body: string;
  /** Topics and other words that stand beside the text. */
  readonly labels: string;
  readonly author: string | null;
  readonly role: string | null;
  readonly threadId: string | null;
  /** Orders the turns of a thread; ties are ordered by id. */
  readonly threadPosition: number;
  readonly occurredAt: Date;
  /** Where it came from, from general to special: `make:gmail:x@y`. Null: a person wrote it here. */
  readonly source: string | null;
  /** Whose connector stored it; null: nobody's of one person. */
  readonly ownerId: string | null;
  /** The transaction that last changed it: the same row with the same transaction has the same content. */
  readonly changedXact: string;
};
