// Compares the answers of two versions of a translator: documents added, lost and changed, and errors.
import type { TranslatedDocument, Translation } from './documents.ts';

export const differences = ['added', 'lost', 'changed', 'error'] as const;
export type Difference = {
  kind: (typeof differences)[number];
  source_id: string | null;
  before: string | null;
  after: string | null;
};

/**
 * The differences for one event, and how many documents are equal. An error of the newer version counts once, and its
 * documents do not count as lost.
 */
export function compareAnswers(older: Translation, newer: Translation): { found: Difference[]; unchanged: number } {
  if (newer.kind === 'error') {
    const before = older.kind === 'error' ? older.message : null;
    return { found: [{ kind: 'error', source_id: null, before, after: newer.message }], unchanged: 0 };
  }
  const [was, is] = [mapByKey(older), mapByKey(newer)];
  const found: Difference[] = [];
  let unchanged = 0;
  for (const [key, document] of was) {
    const next = is.get(key);
    const of = { source_id: document.source_id ?? null, before: document.content };
    if (!next) found.push({ kind: 'lost', ...of, after: null });
    else if (JSON.stringify(next) === JSON.stringify(document)) unchanged += 1;
    else found.push({ kind: 'changed', ...of, after: next.content });
  }
  for (const [key, document] of is)
    if (!was.has(key))
      found.push({ kind: 'added', source_id: document.source_id ?? null, before: null, after: document.content });
  return { found, unchanged };
}

/** Documents by id; those without an id, or with the same id, by their position among these. */
function mapByKey(translation: Translation): Map<string, TranslatedDocument> {
  const documents = translation.kind === 'documents' ? translation.documents : [];
  const counts = new Map<string, number>();
  return new Map(
    documents.map((document) => {
      const id = document.source_id ?? '';
      const count = counts.get(id) ?? 0;
      counts.set(id, count + 1);
      return [`${count} ${id}`, document];
    }),
  );
}
