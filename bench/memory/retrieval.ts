// How much of the evidence for questions about conversations is found, through the public operations.
import { startBenchServer, type BenchServer } from '../server-process.ts';
import type { Bench, Table } from '../table.ts';
import { readConversations, type Conversation, type ConversationSet } from './conversations.ts';
import {
  computeAreaUnderCurve,
  computeCalibrationError,
  computeMeanWithInterval,
  measure,
  measureNames,
  type Measures,
} from './measures.ts';
import { createPlainBm25 } from './plain-bm25.ts';

const depth = 20;
/** By how many points of recall@10 the yardstick must be beaten. */
const bars: Record<string, number> = { 'qmsum-val': 4, 'friendsqa-dev': 2 };

type RetrievalMeasurement = {
  ours: Measures[];
  plain: Measures[];
  predictions: { probability: number; isTrue: boolean }[];
};

/** Each conversation is a brain and a thread. Questions of other conversations show how confidence fares where nothing answers. */
export async function measureRetrieval(bench: Bench): Promise<Table> {
  const server = await startBenchServer(await bench.createDatabase());
  try {
    const rows: Table['rows'] = [];
    for (const set of readConversations()) {
      bench.note(`${set.name}: ${set.conversations.length} conversations`);
      rows.push(...describe(set.name, await findAll(server, set)));
    }
    return { title: 'Retrieval over HTTP beside plain BM25 (k1 1.2, b 0.75), in %, with 95 % intervals', rows };
  } finally {
    await server.stop();
  }
}

async function findAll(server: BenchServer, { conversations }: ConversationSet): Promise<RetrievalMeasurement> {
  const found: RetrievalMeasurement = { ours: [], plain: [], predictions: [] };
  for (const [at, conversation] of conversations.entries()) {
    const { brainId, places } = await store(server, conversation);
    const search = async (q: string) => {
      const answer = await server.call('search_memory', { q, brain_id: brainId, limit: depth });
      const memories = answer['memories'] as { id: string }[]; // as the operation's output says
      return { ranking: memories.map(({ id }) => places.get(id)!), probability: answer['confidence'] as number };
    };
    const plain = createPlainBm25(conversation.turns.map(({ text }) => text));
    for (const { question, evidence } of conversation.questions) {
      const { ranking, probability } = await search(question);
      found.ours.push(measure(ranking, evidence));
      found.plain.push(measure(plain(question, depth), evidence));
      found.predictions.push({ probability, isTrue: ranking.slice(0, 10).some((place) => evidence.includes(place)) });
    }
    const foreign = conversations[(at + 1) % conversations.length]!.questions.slice(0, conversation.questions.length);
    for (const { question } of foreign) {
      found.predictions.push({ probability: (await search(question)).probability, isTrue: false });
    }
  }
  return found;
}

/** Turns are stored in their order. A turn without text cannot be; it is never evidence that search could find. */
async function store(server: BenchServer, { conversation, turns }: Conversation) {
  const created = await server.call('create_brain', { name: conversation });
  const brainId = created['brain_id'] as string;
  const places = new Map<string, number>();
  const said = turns.map(({ author, text }, place) => ({ author, text, place })).filter(({ text }) => text.trim());
  for (let at = 0; at < said.length; at += 100) {
    const batch = said.slice(at, at + 100);
    const memories = batch.map(({ author, text }) => ({ content: text, author, thread_id: conversation }));
    const answer = await server.call('add_memories_bulk', { target_brain_id: brainId, memories });
    for (const [offset, { id }] of (answer['memories'] as { id: string }[]).entries())
      places.set(id, batch[offset]!.place);
  }
  return { brainId, places };
}

function describe(name: string, { ours, plain, predictions }: RetrievalMeasurement): Table['rows'] {
  const rows = measureNames.map((measureName) => {
    const [own, other] = [ours, plain].map((all) => computeMeanWithInterval(all.map((each) => each[measureName])));
    return { name: `${name}, ${measureName}`, value: `${formatInterval(own!)}   plain ${formatInterval(other!)}` };
  });
  const gained = computeMeanWithInterval(ours.map((each, at) => each['recall@10'] - plain[at]!['recall@10']));
  const bar = bars[name];
  const verdict = bar === undefined ? '' : `   bar ${bar}: ${gained.mean * 100 >= bar ? 'met' : 'missed'}`;
  const confidence = `area under curve ${computeAreaUnderCurve(predictions).toFixed(3)}, off by ${computeCalibrationError(predictions).toFixed(3)} (${predictions.length} questions, half of them foreign)`;
  return [
    ...rows,
    { name: `${name}, recall@10 gained, points`, value: `${formatInterval(gained)}${verdict}` },
    { name: `${name}, confidence`, value: confidence },
  ];
}

function formatInterval({ mean, low, high }: { mean: number; low: number; high: number }): string {
  return `${(mean * 100).toFixed(1)} [${(low * 100).toFixed(1)}, ${(high * 100).toFixed(1)}]`;
}
