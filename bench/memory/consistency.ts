// Whether a write is found by the next search: on another process, among many writers, and after a kill.
import { setTimeout as sleep } from 'node:timers/promises';
import { runSql } from '../postgres.ts';
import { startBenchServer, type BenchServer } from '../server-process.ts';
import type { Bench, Table } from '../table.ts';
import { createBatcher, repeatTurns, listQuestions, readConversations } from './conversations.ts';
import { chooseSize } from '../size.ts';

const writesAcross = chooseSize(1_000, 3);
const writers = chooseSize(12, 2);
const writingMs = chooseSize(60_000, 500);
const killAfterMs = chooseSize(3_000, 200);
const comparedQuestions = chooseSize(300, 3);

type Row = Table['rows'][number];

export async function measureConsistency(bench: Bench): Promise<Table> {
  const rows: Row[] = [];
  for (const check of [checkAcrossProcesses, checkAmongWriters, checkAfterKill]) rows.push(...(await check(bench)));
  return { title: 'What was acknowledged is found by the next search', rows };
}

async function checkAcrossProcesses(bench: Bench): Promise<Row[]> {
  bench.note(`${writesAcross} writes on one process, each searched for on another`);
  const databaseUrl = await bench.createDatabase();
  const writer = await startBenchServer(databaseUrl);
  const reader = await startBenchServer(databaseUrl);
  try {
    let missing = 0;
    for (let at = 0; at < writesAcross; at += 1) {
      const { id } = await writer.call('add_memory', { content: `The parcel numbered p${at}x is at the harbour.` });
      missing += (await find(reader, `p${at}x`)).includes(id as string) ? 0 : 1;
    }
    return [{ name: `two processes, ${writesAcross} writes: not found by the next search`, value: `${missing}` }];
  } finally {
    await Promise.all([writer.stop(), reader.stop()]);
  }
}

/** The reader searches constantly for the last acknowledged memory of every writer, on two processes. */
async function checkAmongWriters(bench: Bench): Promise<Row[]> {
  bench.note(`${writers} writers for ${writingMs / 1000} s`);
  const databaseUrl = await bench.createDatabase();
  const servers = [await startBenchServer(databaseUrl), await startBenchServer(databaseUrl)] as const;
  try {
    const until = performance.now() + writingMs;
    const acknowledged: { id: string; word: string }[] = [];
    const write = async (writer: number) => {
      for (let at = 0; performance.now() < until; at += 1) {
        const word = `w${writer}n${at}z`;
        const { id } = await servers[writer % 2]!.call('add_memory', { content: `Somebody noted ${word} here.` });
        acknowledged.push({ id: id as string, word });
      }
    };
    let searches = 0;
    let missing = 0;
    const read = async () => {
      while (performance.now() < until) {
        const last = acknowledged.at(-1);
        if (last) {
          const found = await find(servers[(searches += 1) % 2]!, last.word);
          missing += found.includes(last.id) ? 0 : 1;
        } else await sleep(1);
      }
    };
    await Promise.all([...Array.from({ length: writers }, (_, writer) => write(writer)), read()]);
    let lost = 0;
    for (const { id, word } of acknowledged.filter((_, at) => at % 20 === 0))
      lost += (await find(servers[0], word)).includes(id) ? 0 : 1;
    const value = `${missing} of ${searches} searches, ${acknowledged.length} writes; ${lost} of every 20th afterwards`;
    return [{ name: `${writers} writers: acknowledged and not found`, value }];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** A second process follows all writes. Its index must answer like a newly built one. */
async function checkAfterKill(bench: Bench): Promise<Row[]> {
  bench.note('kill -9 during a bulk import');
  const sets = readConversations();
  const questions = listQuestions(sets).slice(0, comparedQuestions);
  const databaseUrl = await bench.createDatabase();
  const killed = await startBenchServer(databaseUrl);
  const watching = await startBenchServer(databaseUrl);
  const acknowledged: string[] = [];
  const next = createBatcher(repeatTurns(sets, 70_000), 100);
  const store = async (lane: number) => {
    for (let at = 0; ; at += 1) {
      const memories = next().map((turn) => ({
        ...turn,
        author: `${turn.author} of batch ${lane}-${at}`,
      }));
      const answer = await killed.call('add_memories_bulk', { memories });
      acknowledged.push(...(answer['memories'] as { id: string }[]).map(({ id }) => id));
    }
  };
  const lanes = Promise.allSettled(Array.from({ length: 4 }, (_, lane) => store(lane)));
  const deadline = performance.now() + killAfterMs;
  while (performance.now() < deadline) await watching.call('search_memory', { q: questions[0]! });
  await killed.kill();
  await lanes;
  const restarted = await startBenchServer(databaseUrl);
  try {
    const stored = await runSql<{ id: string; batch: string }>(
      databaseUrl,
      `select id, substring(author from 'of batch (.*)') as batch from memories`,
    );
    const ids = new Set(stored.map(({ id }) => id));
    const halves = [...Map.groupBy(stored, ({ batch }) => batch).values()].filter((batch) => batch.length !== 100);
    const answers = (server: BenchServer) => listAnswers(server, questions);
    const [one, other] = [await answers(watching), await answers(restarted)];
    const different = one.filter((answer, at) => answer !== other[at]).length;
    return [
      {
        name: 'kill -9: acknowledged and lost',
        value: `${acknowledged.filter((id) => !ids.has(id)).length} of ${acknowledged.length}`,
      },
      { name: 'kill -9: half-stored batches', value: `${halves.length}` },
      { name: 'kill -9: answers unlike those of an index built anew', value: `${different} of ${questions.length}` },
    ];
  } finally {
    await Promise.all([watching.stop(), restarted.stop()]);
  }
}

async function find(server: BenchServer, q: string): Promise<string[]> {
  const { memories } = await server.call('search_memory', { q, limit: 20 });
  return (memories as { id: string }[]).map(({ id }) => id);
}

async function listAnswers(server: BenchServer, questions: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const q of questions) {
    const { memories } = await server.call('search_memory', { q, limit: 20 });
    const hits = memories as { id: string; relevance_score: number }[];
    answers.push(JSON.stringify(hits.map(({ id, relevance_score }) => [id, relevance_score.toFixed(4)])));
  }
  return answers;
}
