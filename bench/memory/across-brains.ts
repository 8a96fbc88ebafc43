// How much is found when every brain is searched at once, beside one brain that holds everything and one brain at a time.
import { startBenchServer, type BenchServer } from '../server-process.ts';
import { median, formatMilliseconds, type Bench, type Table } from '../table.ts';
import { readConversations, type Conversation, type ConversationSet } from './conversations.ts';
import { computeMeanWithInterval, measure } from './measures.ts';
import { chooseSize } from '../size.ts';

const brains = chooseSize(10, 2);
const depth = 20;
/** How many points of recall@10 the search over all brains may be behind the pooled one. */
const bar = 0.5;

/** In brains of their own beside the others; each text answers its question. */
const small = [
  { question: 'What is the name of the office dog?', text: 'Our office dog is called Biscuit' },
  { question: 'Where does the yellow kayak hang?', text: 'The yellow kayak hangs in the boat shed' },
  { question: 'Who tunes the church organ?', text: 'Mrs Abernathy tunes the church organ' },
  { question: 'Which spice goes into plum cake?', text: 'Plum cake needs cardamom as its spice' },
  { question: 'When does the chess club meet?', text: 'The chess club will meet on Thursdays' },
];
const beside = ['Lunch is at noon.', 'The printer is upstairs.', 'Friday is free.', 'Doors close at eight.'];

type SearchMeasurement = { recall: number[]; times: number[]; smallPlaces: number[] };

/** Ten conversations of each set, with five brains of five memories each. */
export async function measureAcrossBrains(bench: Bench): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const set of readConversations()) {
    const conversations = set.conversations.slice(0, brains);
    bench.note(`${set.name}: pooled`);
    const pooled = await withServer(bench, (server) => ask(server, conversations, 'pooled'));
    bench.note(`${set.name}: ${brains} brains`);
    const across = await withServer(bench, (server) => ask(server, conversations, 'across'));
    rows.push(...describe(set, pooled, across));
  }
  return { title: `recall@10 over ${brains} brains of one conversation each, and five small ones, in %`, rows };
}

async function withServer<T>(bench: Bench, work: (server: BenchServer) => Promise<T>): Promise<T> {
  const server = await startBenchServer(await bench.createDatabase());
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function ask(
  server: BenchServer,
  conversations: readonly Conversation[],
  how: 'pooled' | 'across',
): Promise<SearchMeasurement> {
  const places = new Map<string, string>();
  const createBrain = async (name: string) =>
    how === 'pooled' ? undefined : String((await server.call('create_brain', { name }))['brain_id']);
  for (const { conversation, turns } of conversations)
    await store(server, await createBrain(conversation), { name: conversation, turns }, places);
  for (const [at, { text }] of small.entries()) {
    const turns = [text, ...beside].map((each) => ({ author: 'Ada', text: each }));
    await store(server, await createBrain(`small ${at}`), { name: `small ${at}`, turns }, places);
  }
  const times: number[] = [];
  const search = async (q: string) => {
    const begun = performance.now();
    const { memories } = await server.call('search_memory', { q, limit: depth });
    times.push(performance.now() - begun);
    return (memories as { id: string }[]).map(({ id }) => places.get(id)!);
  };
  for (const { questions } of conversations) await search(questions[0]!.question);
  times.length = 0;
  const recall: number[] = [];
  for (const { conversation, questions } of conversations) {
    for (const { question, evidence } of questions) {
      const found = (await search(question)).map((place) => parseTurnNumber(place, conversation));
      recall.push(measure(found, evidence)['recall@10']);
    }
  }
  const smallPlaces: number[] = [];
  for (const [at, { question }] of small.entries())
    smallPlaces.push((await search(question)).indexOf(`small ${at}#0`) + 1);
  return { recall, times, smallPlaces };
}

async function store(
  server: BenchServer,
  brainId: string | undefined,
  { name, turns }: { name: string; turns: Conversation['turns'] },
  places: Map<string, string>,
): Promise<void> {
  const said = turns.map((turn, place) => ({ ...turn, place })).filter(({ text }) => text.trim());
  for (let at = 0; at < said.length; at += 100) {
    const batch = said.slice(at, at + 100);
    const memories = batch.map(({ author, text }) => ({ content: text, author, thread_id: name }));
    const where = brainId === undefined ? {} : { target_brain_id: brainId };
    const { memories: stored } = await server.call('add_memories_bulk', { ...where, memories });
    for (const [offset, { id }] of (stored as { id: string }[]).entries())
      places.set(id, `${name}#${batch[offset]!.place}`);
  }
}

/** The number of a turn in a conversation; -1 for one of another. */
function parseTurnNumber(place: string, conversation: string): number {
  return place.startsWith(`${conversation}#`) ? Number(place.slice(conversation.length + 1)) : -1;
}

function describe({ name }: ConversationSet, pooled: SearchMeasurement, across: SearchMeasurement): Table['rows'] {
  const [inOne, inTen] = [pooled, across].map(({ recall }) => computeMeanWithInterval(recall).mean * 100);
  const verdict = inTen! >= inOne! - bar && across.smallPlaces.every((place) => place === 1) ? 'met' : 'missed';
  const latency = (found: SearchMeasurement) => formatMilliseconds(median(found.times));
  return [
    { name: `${name}, one brain that holds all`, value: `${inOne!.toFixed(1)}   ${latency(pooled)} a search` },
    { name: `${name}, all brains at once`, value: `${inTen!.toFixed(1)}   ${latency(across)} a search` },
    { name: `${name}, places of the answers in small brains (0: not found)`, value: across.smallPlaces.join(' ') },
    { name: `${name}, bar: at most ${bar} points behind, small ones first`, value: verdict },
  ];
}
