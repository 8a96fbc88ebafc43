// What a call costs with an OAuth token beside one with a key, and what many workspaces on one server cost.
import { randomUUID } from 'node:crypto';
import { hashSecret } from '#platform/one-time-secrets';
import { Client } from 'pg';
import { connectTo, measureCalls } from './client.ts';
import { startBenchServer, type BenchServer } from './server-process.ts';
import { median, formatMilliseconds, type Bench, type Table } from './table.ts';
import { chooseSize } from './size.ts';

const token = `to_${'benchmark'.repeat(5)}`;
const rounds = chooseSize(30, 1);
const warmUpRounds = chooseSize(5, 0);
const callsPerRound = chooseSize(100, 2);
const starts = chooseSize(5, 1);
const [few, many] = [chooseSize(10, 2), chooseSize(10_000, 20)];

/** The bars: a call with a token ≤ 1.1 × one with a key; a start and a call with 10,000 workspaces ≤ 1.3 × those with 10. */
export async function measureIdentity(bench: Bench): Promise<Table> {
  const databaseUrl = await bench.createDatabase();
  bench.note('token and key, in turns');
  const server = await startBenchServer(databaseUrl);
  let byToken: Ratio;
  try {
    await addToken(databaseUrl, server);
    byToken = await compareCredentials(server);
  } finally {
    await server.stop();
  }
  const { small, large } = await compareSizes(bench);
  return {
    title: `Credentials and workspaces, medians of ${rounds * callsPerRound} calls and ${starts} starts`,
    rows: [
      buildRow('a call with a token, beside one with a key', byToken, 1.1),
      buildRow(`start with ${many} workspaces, beside ${few}`, { before: small.start, after: large.start }, 1.3),
      buildRow(`a call with ${many} workspaces, beside ${few}`, { before: small.call, after: large.call }, 1.3),
    ],
  };
}

type Ratio = { before: number; after: number };

function buildRow(name: string, { before, after }: Ratio, bar: number): Table['rows'][number] {
  const ratio = after / before;
  const verdict = ratio <= bar ? 'met' : 'missed';
  return {
    name,
    value: `${formatMilliseconds(after)} / ${formatMilliseconds(before)} = ${ratio.toFixed(2)}; bar ≤ ${bar}: ${verdict}`,
  };
}

/** Calls with the key and with the token in turns, each as often first, so that a busy moment of the machine weighs on both. */
async function compareCredentials(server: BenchServer): Promise<Ratio> {
  const byToken = connectTo(server.url, token);
  const times = { key: [] as number[], token: [] as number[] };
  const call = { key: () => server.call('list_brains', {}), token: () => byToken.call('list_brains', {}) };
  try {
    for (let turn = 0; turn < (warmUpRounds + rounds) * callsPerRound; turn += 1) {
      for (const credential of turn % 2 ? (['key', 'token'] as const) : (['token', 'key'] as const)) {
        const [took] = await measureCalls(call[credential], 1);
        if (turn >= warmUpRounds * callsPerRound) times[credential].push(took!);
      }
    }
  } finally {
    await byToken.close();
  }
  return { before: median(times.key), after: median(times.token) };
}

type SizeMeasurement = { start: number; call: number };

/** Medians of a database with few workspaces and of one with many, in turns, so that the machine is equally busy for both. */
async function compareSizes(bench: Bench): Promise<{ small: SizeMeasurement; large: SizeMeasurement }> {
  const sizes = [];
  for (const workspaces of [few, many]) {
    bench.note(`${workspaces} workspaces`);
    const databaseUrl = await bench.createDatabase();
    await (await startBenchServer(databaseUrl)).stop();
    await fillTo(databaseUrl, workspaces);
    sizes.push({ databaseUrl, measured: [] as SizeMeasurement[] });
  }
  bench.note('starts and calls, in turns');
  for (let round = 0; round < starts; round += 1) {
    for (const { databaseUrl, measured } of sizes) measured.push(await measureServer(databaseUrl));
  }
  const [small, large] = sizes.map(({ measured }) => ({
    start: median(measured.map(({ start }) => start)),
    call: median(measured.map(({ call }) => call)),
  }));
  if (!small || !large) throw new Error('nothing was measured');
  return { small, large };
}

/** The time of a start until the server is ready, and the median of calls to it. */
async function measureServer(databaseUrl: string): Promise<SizeMeasurement> {
  const begun = performance.now();
  const server = await startBenchServer(databaseUrl);
  const start = performance.now() - begun;
  try {
    await measureCalls(() => server.call('list_brains', {}), callsPerRound);
    return { start, call: median(await measureCalls(() => server.call('list_brains', {}), callsPerRound * 5)) };
  } finally {
    await server.stop();
  }
}

async function addToken(databaseUrl: string, server: BenchServer): Promise<void> {
  const { person, workspace, home_brain_id } = (await server.call('who_am_i', {})) as {
    person: { id: string };
    workspace: { id: string };
    home_brain_id: string;
  };
  const id = randomUUID();
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      `insert into oauth_grants (id, workspace_id, person_id, client_id, client_name, scopes, resource, home_brain_id, reach,
        created_at, connected_at)
        select $1, $2, $3, 'bench', 'Bench', '{brains:read}', $5, $4, 'owner', now(), now() from keys limit 1`,
      [id, workspace.id, person.id, home_brain_id, `http://localhost:${new URL(server.url).port}/mcp`],
    );
    await client.query(
      `insert into oauth_tokens (token_hash, workspace_id, grant_id, kind, payload, created_at, expires_at)
        values ($1, $2, $3, 'access', '{"scope":"brains:read"}', now(), now() + interval '1 day')`,
      [hashSecret(token), workspace.id, id],
    );
  });
}

/** Adds workspaces with one owner each, up to a number. */
async function fillTo(databaseUrl: string, workspaces: number): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(
      `with added as (
        insert into workspaces (id, name, created_at)
          select gen_random_uuid(), 'Workspace ' || each, now()
          from generate_series((select count(*) from workspaces) + 1, $1) each returning id)
        insert into people (id, workspace_id, name, email, role, created_at)
          select gen_random_uuid(), id, 'Owner', id || '@example.com', 'owner', now() from added`,
      [workspaces],
    );
    await client.query('analyze');
  });
}

async function withDatabase(databaseUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
