// How much of the evidence for questions about conversations search finds among its first hits.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleRow } from '../src/platform/search/example-row.ts';
import { findInIndex } from '../src/platform/search/find.ts';
import { createIndex, putDocuments } from '../src/platform/search/inverted-index.ts';
import type { Searchable } from '../src/platform/search/searchable.ts';

type Table = { title: string; rows: { name: string; value: string }[] };

type Conversation = {
  readonly turns: readonly { readonly author: string; readonly text: string }[];
  /** `evidence`: the places in `turns` that answer the question. */
  readonly questions: readonly { readonly question: string; readonly evidence: readonly number[] }[];
};

const depths = [5, 10] as const;

/** What a turn is indexed with: `plain` has its own words alone, as a yardstick. */
const subjects: Record<string, (author: string, position: number) => Partial<Searchable>> = {
  plain: () => ({}),
  contextual: (author, position) => ({ author, threadId: 'conversation', threadPosition: position }),
};

/**
 * Recall at 5 and 10 on every `*.jsonl` of the folder `THALAMUS_BENCH_DATA`, or of `../shared/data/retrieval`: one
 * conversation a line, each a brain and a thread of its own. Recall is the share of a question's evidence among the
 * first hits, averaged over questions.
 */
export async function benchRecall(): Promise<Table> {
  const title = 'Recall of evidence in conversations';
  const folder =
    process.env.THALAMUS_BENCH_DATA ?? join(import.meta.dirname, '..', '..', 'shared', 'data', 'retrieval');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.jsonl')) : [];
  if (files.length === 0)
    return { title, rows: [{ name: 'skipped', value: 'no conversations in THALAMUS_BENCH_DATA' }] };
  const rows = files.toSorted().flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
    const conversations = lines.map((line) => JSON.parse(line) as Conversation); // the format is described in the folder's README
    return Object.entries(subjects).map(([name, place]) => ({
      name: `${file.replace('.jsonl', '')}, ${name}`,
      value: describeRecall(conversations, place),
    }));
  });
  return { title, rows };
}

function describeRecall(conversations: readonly Conversation[], place: (typeof subjects)[string]): string {
  const recalls = conversations.flatMap((conversation) => recallsOf(conversation, place));
  const shown = depths.map((depth, at) => {
    const mean = recalls.reduce((sum, recall) => sum + recall[at]!, 0) / recalls.length;
    return `@${depth} ${(100 * mean).toFixed(1)} %`;
  });
  return `${shown.join(', ')} (${recalls.length} questions)`;
}

/** For each question the recall at each depth. */
function recallsOf({ turns, questions }: Conversation, place: (typeof subjects)[string]): number[][] {
  const index = createIndex();
  putDocuments(
    index,
    turns.map(({ author, text }, at) =>
      exampleRow({ id: String(at).padStart(6, '0'), body: text, ...place(author, at) }),
    ),
  );
  return questions.map(({ question, evidence }) => {
    const { hits } = findInIndex(index, { text: question, limit: Math.max(...depths) });
    const found = hits.map(({ document }) => Number(document.id));
    return depths.map((depth) => {
      const top = new Set(found.slice(0, depth));
      return evidence.filter((turn) => top.has(turn)).length / evidence.length;
    });
  });
}
