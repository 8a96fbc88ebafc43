// What a call over MCP costs here, against a server of the bare SDK that echoes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '#faces/web';
import { createLog } from '#platform/log';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { readConfig } from '../src/configuration.ts';
import { startServer } from '../src/server.ts';
import { chooseSize } from './size.ts';

type Table = { title: string; rows: { name: string; value: string }[] };
type Subject = () => Promise<void>;

const version = '2026-07-28';
const callsPerRound = chooseSize(200, 2);
const rounds = chooseSize(8, 1);
const warmUpRounds = chooseSize(2, 0);
const charactersPerToken = 4;
/** How many tokens the list of tools may cost; every conversation begins with it. */
const mostTokens = 8_000;

/**
 * Measures `list_brains` over MCP and over REST, with its key, limits, transaction and checks, and an echo on the bare
 * SDK: all over loopback HTTP, in one process with the client, one at a time and 8 at a time, in turns.
 */
export async function measureMcp(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'thalamus-bench-'));
  chmodSync(folder, 0o711); // as root the database runs under another account, which has to pass through
  const key = `cm_${'benchmark'.repeat(5)}`;
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    THALAMUS_DATA_DIR: join(folder, 'data'),
    THALAMUS_BOOTSTRAP_KEY: key,
    THALAMUS_LOG_LEVEL: 'silent',
    THALAMUS_RATE_LIMIT: '10000000',
  });
  const product = await startServer(config, createLog('silent'));
  const bare = await startEcho();
  try {
    const subjects = {
      echo: createToolCall(`${bare.url}/mcp`, key, 'echo'),
      mcp: createToolCall(`${product.url}/mcp`, key, 'list_brains'),
      rest: createRestCall(`${product.url}/v1/tools/list_brains`, key),
    };
    const { title, rows } = buildTable(await measure(subjects, 1), await measure(subjects, 8));
    return { title, rows: [...rows, await listCost(`${product.url}/mcp`, key)] };
  } finally {
    await bare.close();
    await product.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Name = 'echo' | 'mcp' | 'rest';
type Rates = Record<Name, number>;

async function measure(subjects: Record<Name, Subject>, parallel: number): Promise<Rates> {
  const rates: Record<Name, number[]> = { echo: [], mcp: [], rest: [] };
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    for (const name of ['echo', 'mcp', 'rest'] as const) {
      const rate = await callRate(subjects[name], parallel);
      if (round >= warmUpRounds) rates[name].push(rate);
    }
  }
  return { echo: median(rates.echo), mcp: median(rates.mcp), rest: median(rates.rest) };
}

/** Calls per second. */
async function callRate(subject: Subject, parallel: number): Promise<number> {
  const start = performance.now();
  const lane = async () => {
    for (let i = 0; i < callsPerRound / parallel; i += 1) await subject();
  };
  await Promise.all(Array.from({ length: parallel }, lane));
  return (callsPerRound / (performance.now() - start)) * 1000;
}

function createToolCall(url: string, key: string, name: string): Subject {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': name,
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta } });
  return () => post(url, headers, body);
}

async function listCost(url: string, key: string): Promise<Table['rows'][number]> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools().finally(() => client.close());
  const tokens = JSON.stringify(tools).length / charactersPerToken;
  const verdict = tokens <= mostTokens ? 'met' : 'missed';
  return {
    name: `tools/list by default, ${tools.length} tools`,
    value: `${tokens.toFixed(0)} tokens   bar ${mostTokens}: ${verdict}`,
  };
}

function createRestCall(url: string, key: string): Subject {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return () => post(url, headers, '{}');
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true')) throw new Error(`${url} answered ${text}`);
}

function startEcho() {
  const inputSchema = { type: 'object' as const };
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema }] }));
    server.setRequestHandler('tools/call', ({ params }) => ({
      content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
    }));
    return server;
  });
  return listen(handler.fetch, { host: '127.0.0.1', port: 0 });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function buildTable(sequential: Rates, parallel: Rates): Table {
  const rows = (how: string, { echo, mcp, rest }: Rates) => [
    { name: `bare SDK echo, ${how}`, value: `${echo.toFixed(0)} calls/s` },
    {
      name: `list_brains over MCP, ${how}`,
      value: `${mcp.toFixed(0)} calls/s (${(mcp / echo).toFixed(2)} of the echo)`,
    },
    { name: `list_brains over REST, ${how}`, value: `${rest.toFixed(0)} calls/s` },
  ];
  return {
    title: `MCP ${version} tools/call over loopback, client in the same process, median of ${rounds} rounds`,
    rows: [...rows('sequential', sequential), ...rows('8 parallel', parallel)],
  };
}
