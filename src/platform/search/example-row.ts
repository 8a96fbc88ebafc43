import type { Searchable } from './searchable.ts';

/** A row for tests, benchmarks and rehearsals: a memory of 1 January 2024, without an author or a thread. */
export function buildExampleRow(row: Partial<Searchable> & Pick<Searchable, 'id' | 'body'>): Searchable {
  return {
    kind: 'memory',
    type: 'fact',
    salience: 'normal',
    title: null,
    labels: '',
    author: null,
    role: null,
    threadId: null,
    threadPosition: 0,
    occurredAt: new Date('2024-01-01T12:00:00Z'),
    endsAt: null,
    isWholeDay: false,
    source: null,
    ownerId: null,
    changedXact: '1',
    ...row,
  };
}
