// What a described call costs on top of a plain request: filling it in, the credential, the door, and reading the answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import type { ReadRuling } from '#modules/policy';
import type { TokenSource } from '#kernel/provider-access';
import { createEgress } from '#platform/egress';
import { createExtraction } from '#platform/extraction';
import { createProviderClient, fill } from '#providers/http';
import { createReaders } from '../../src/modules/integrations/reader.ts';
import { median, formatMilliseconds, type Table } from '../table.ts';
import { chooseSize } from '../size.ts';

const callsPerRound = chooseSize(100, 5);
const rounds = chooseSize(30, 1);
const warmUpRounds = chooseSize(8, 0);
const lanes = 5;
const bars = { share: 0.2, extraMs: 0.1, perSecond: 500 };
const endpoint = {
  method: 'GET',
  url: 'https://api.github.com/repos/ada/{{name}}/issues',
  headers: { accept: 'application/vnd.github+json' },
  queryParams: { state: 'all', per_page: 100, since: '{{since}}' },
} as const;
const account = { workspaceId: 'workspace', connectionId: 'connection', provider: 'github' };

/**
 * Reads a page of 20 issues by a described endpoint, beside undici reading and parsing the same bytes from the same
 * loopback server. The credential is at hand, since the time of the database is not what is measured. The bar: at most
 * 20 % or 0.1 ms more, and 500 calls a second.
 */
export async function measureExecutor(): Promise<Table> {
  const body = JSON.stringify(Array.from({ length: 20 }, (_, number) => buildIssue(number)));
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a listening TCP server has a port
  const pool = new Pool(base, { connections: lanes });
  const egress = createEgress({ allow: [] });
  const client = createProviderClient({ egress, tokens, clients: { findBaseUrl: () => base, listed: [] } });
  const of = { account: 'ada', known_as: 'ada', settings: {} };
  const ruling = { source: 'bench', account: of.account } as ReadRuling; // no policy applies here
  const reader = createReaders(client, createExtraction())(account, of, ruling);
  const headers = { accept: 'application/json', authorization: 'Bearer bench' };
  const subjects = {
    plain: async () => (await pool.request({ method: 'GET', path: '/issues?per_page=100', headers })).body.json(),
    executor: async () => {
      const { data } = await reader.ask(fill(endpoint, { since: '2026-01-01T00:00:00Z', name: 'engine' }));
      return data;
    },
  };
  const times = { plain: [] as number[], executor: [] as number[] };
  let fastest = 0;
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (const name of ['plain', 'executor'] as const) {
      const { each, perSecond } = await measureCallRates(subjects[name]);
      if (round < warmUpRounds) continue;
      times[name].push(...each);
      if (name === 'executor') fastest = Math.max(fastest, perSecond);
    }
  }
  await egress.close();
  await pool.close();
  server.close();
  return buildTable(median(times.plain), median(times.executor), fastest);
}

/** As long as real ones: it is looked for in every answer. */
const token = 'gho_16C7e42F292c6912E7710c838347Ae178B4a';

const tokens: TokenSource = {
  accessToken: () => Promise.resolve(token),
  credential: () =>
    Promise.resolve({ value: token, headers: { authorization: `Bearer ${token}` }, query: {}, place: 'header' }),
};

function buildIssue(number: number) {
  return {
    node_id: `I_${number}`,
    number,
    title: `Issue ${number}`,
    body: 'The gears slip on the third wheel.',
    state: 'open',
    comments: 0,
    labels: [{ name: 'bug' }],
    assignees: [{ login: 'ada' }],
    user: { login: 'grace' },
    repository: { full_name: 'ada/engine', name: 'engine', owner: { login: 'ada' } },
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00Z',
  };
}

/** First in sequence for the time of each, then in parallel for the number per second. */
async function measureCallRates(call: () => Promise<unknown>): Promise<{ each: number[]; perSecond: number }> {
  const each: number[] = [];
  for (let done = 0; done < callsPerRound; done += 1) {
    const start = performance.now();
    await call();
    each.push(performance.now() - start);
  }
  const start = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let done = 0; done < callsPerRound / lanes; done += 1) await call();
    }),
  );
  return { each, perSecond: (1000 * callsPerRound) / (performance.now() - start) };
}

function buildTable(plain: number, executor: number, perSecond: number): Table {
  const extra = executor - plain;
  const isMet = extra <= bars.extraMs || extra / plain <= bars.share;
  return {
    title: 'A read by description, beside a plain request for the same bytes',
    rows: [
      { name: 'plain undici', value: formatMilliseconds(plain) },
      {
        name: 'by description',
        value: `${formatMilliseconds(executor)} (+${formatMilliseconds(extra)}, ${((100 * extra) / plain).toFixed(0)} %)`,
      },
      { name: 'bar: at most 20 % or 0.1 ms more', value: isMet ? 'met' : 'missed' },
      {
        name: `bar: ${bars.perSecond} calls a second`,
        value: `${perSecond.toFixed(0)}: ${perSecond >= bars.perSecond ? 'met' : 'missed'}`,
      },
    ],
  };
}
