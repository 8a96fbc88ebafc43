export type SearchableKind = 'memory' | 'page';

/** One searchable item, as the `searchable` view shows it. */
export type Searchable = {
  readonly id: string;
  readonly kind: SearchableKind;
  /** The product's type: `decision`, `email`, … */
  readonly type: string;
  /** Its importance: `normal`, `elevated`, `critical`; null without one. */
  readonly salience: string | null;
  readonly title: string | null;
  readonly body: string;
  /** Topics and other words outside the text. */
  readonly labels: string;
  readonly author: string | null;
  readonly role: string | null;
  readonly threadId: string | null;
  /** Orders the turns of a thread; ties are ordered by id. */
  readonly threadPosition: number;
  readonly occurredAt: Date;
  /** The end of an event; null for an item without a duration. */
  readonly endsAt: Date | null;
  /** `occurredAt` and `endsAt` are midnights in UTC that stand for days in any time zone. */
  readonly isWholeDay: boolean;
  /** Its origin, from general to specific: `make:gmail:x@y`. Null: a person wrote it here. */
  readonly source: string | null;
  /** The person whose connector stored it; null: no single person. */
  readonly ownerId: string | null;
  /** The transaction that last changed it: the same row with the same transaction has the same content. */
  readonly changedXact: string;
};
