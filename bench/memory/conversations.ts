// Conversations of others with questions about them, read from where they lie; nothing of them is kept here.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSmallest } from '../size.ts';

export type Conversation = {
  readonly conversation: string;
  readonly turns: readonly { readonly author: string; readonly text: string }[];
  /** `evidence`: the places in `turns` that answer the question. */
  readonly questions: readonly { readonly question: string; readonly evidence: readonly number[] }[];
};

export type ConversationSet = { readonly name: string; readonly conversations: readonly Conversation[] };

/** Every `*.jsonl` of the folder `THALAMUS_BENCH_DATA`, or of `../shared/data/retrieval`; the README there has the format. */
export function readConversations(): ConversationSet[] {
  if (isSmallest) return [buildSmallestSet()];
  const usual = join(import.meta.dirname, '../../../shared/data/retrieval');
  const folder = process.env.THALAMUS_BENCH_DATA ?? usual;
  if (!existsSync(folder))
    throw new Error(`There is no folder ${folder}. Set THALAMUS_BENCH_DATA to one with *.jsonl.`);
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  return files.toSorted().map((file) => ({
    name: file.replace('.jsonl', ''),
    conversations: readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Conversation),
  }));
}

/** Two short conversations, so that a benchmark runs where nobody has the others. */
function buildSmallestSet(): ConversationSet {
  const harbours = ['Turku', 'Porto'].map((harbour) => ({
    conversation: `The harbour of ${harbour}`,
    turns: Array.from({ length: 40 }, (_, place) => ({
      author: place % 2 ? 'Ada' : 'Ines',
      text: `Berth ${place} of ${harbour} is for boats of ${place + 7} metres.`,
    })),
    questions: [3, 5].map((place) => ({
      question: `Which boats fit berth ${place} of ${harbour}?`,
      evidence: [place],
    })),
  }));
  return { name: 'smallest', conversations: harbours };
}

/** Every question of the sets. */
export function listQuestions(sets: readonly ConversationSet[]): string[] {
  return sets.flatMap(({ conversations }) =>
    conversations.flatMap(({ questions }) => questions.map(({ question }) => question)),
  );
}

/** Hands out what there is, a batch at a time; empty when all is handed out. */
export function createBatcher<Item>(items: readonly Item[], size: number): () => Item[] {
  let given = 0;
  return () => items.slice(given, (given += size));
}

export type Turn = { content: string; author: string; thread_id: string };

/** Repeats the turns of the sets in new threads, up to a number. */
export function repeatTurns(sets: readonly ConversationSet[], count: number): Turn[] {
  const turns: Turn[] = [];
  for (let copy = 0; ; copy += 1) {
    for (const { name, conversations } of sets) {
      for (const [at, conversation] of conversations.entries()) {
        for (const { author, text } of conversation.turns) {
          if (turns.length === count) return turns;
          if (text.trim()) turns.push({ content: text, author, thread_id: `${name}-${at}-${copy}` });
        }
      }
    }
  }
}
