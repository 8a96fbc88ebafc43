import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
import { isDeep } from '../support/depth.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const key = `cm_${'twokey'.repeat(6)}`;
const parcels = isDeep ? 100 : 30;
const wordsEach = 40;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let servers: readonly [ServerProcess, ServerProcess];

beforeAll(async () => {
  database = await createTestDatabase();
  const settings = buildServerSettings(database.connectionString);
  servers = [await startServerProcess(settings, key), await startServerProcess(settings, key)];
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
});

const find = async (server: ServerProcess, q: string) =>
  ((await server.ok('search_memory', { q, limit: 20 }))['memories'] as { id: string }[]).map(({ id }) => id);

test('the next search of one server finds a memory that the other stored, until it is archived', async () => {
  const [writer, reader] = servers;
  for (let at = 0; at < parcels; at += 1) {
    const { id } = await writer.ok('add_memory', { content: `The parcel numbered p${at}x is at the harbour.` });
    expect(await find(reader, `p${at}x`)).toContain(id);
    if (at % 10 > 0) continue;
    await reader.ok('archive_memory', { id });
    expect(await find(writer, `p${at}x`)).not.toContain(id);
  }
}, 60_000);

test.runIf(isDeep)(
  'among many writers, the next search finds every acknowledged memory',
  async () => {
    const acknowledged: { id: string; word: string }[] = [];
    let searches = 0;
    const hasSearchedEnough = () => searches > 10;
    const written = new AbortController();
    // A busy machine searches slowly, and the writers wait for it.
    const write = async (writer: number) => {
      for (let at = 0; at < wordsEach || !hasSearchedEnough(); at += 1) {
        const word = `w${writer}n${at}z`;
        const { id } = await servers[writer % 2]!.ok('add_memory', { content: `Somebody noted ${word} here.` });
        acknowledged.push({ id: id as string, word });
      }
    };
    const missing: string[] = [];
    const read = async () => {
      do {
        const last = acknowledged.at(-1);
        if (!last) await find(servers[0], 'nothing yet');
        else if (!(await find(servers[(searches += 1) % 2]!, last.word)).includes(last.id)) missing.push(last.word);
      } while (!written.signal.aborted);
    };
    const reading = read();
    await Promise.all(Array.from({ length: 12 }, (_, writer) => write(writer)));
    written.abort();
    await reading;
    expect(missing).toEqual([]);
    expect(searches).toBeGreaterThan(10);
  },
  60_000,
);
