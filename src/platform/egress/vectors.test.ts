import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { resolveChecked } from './connector.ts';
import { type Egress, createEgress } from './egress.ts';
import { EgressError, Failure } from './egress-error.ts';
import { findAddressRefusal } from './public-ip.ts';
import { type LocalServer, startServer } from './local-server.ts';
import { buildNextHop } from './redirects.ts';
import { parseTarget, chooseRoute } from './target.ts';

const decision = z.enum(['blocked', 'allowed']);
const vectors = z
  .strictObject({
    redirectHeaders: z.record(z.string(), z.string()),
    urls: z.array(
      z.strictObject({ url: z.string(), resolves: z.array(z.string()).optional(), expect: decision, why: z.string() }),
    ),
    addresses: z.array(z.strictObject({ address: z.string(), expect: decision, why: z.string().optional() })),
    redirects: z.array(
      z.strictObject({
        from: z.string(),
        method: z.string(),
        body: z.string().optional(),
        status: z.number(),
        location: z.string(),
        expect: z.enum(['blocked', 'followed']),
        next: z
          .strictObject({
            url: z.string(),
            method: z.string(),
            body: z.string().optional(),
            headers: z.array(z.string()),
          })
          .optional(),
        why: z.string(),
      }),
    ),
    rebinding: z.array(
      z.strictObject({ answers: z.array(z.array(z.string())), first: decision, later: decision, why: z.string() }),
    ),
    environment: z.array(
      z.strictObject({ variables: z.record(z.string(), z.string()), expect: z.literal('ignored'), why: z.string() }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('../../../tests/vectors/ssrf/vectors.json', import.meta.url), 'utf8')));

const noExceptions = { exceptions: new Set<string>() };

/** A resolver that returns each list of addresses in turn, and then always the last one. */
function createListResolver(lists: readonly (readonly string[])[]) {
  let asked = 0;
  return {
    asked: () => asked,
    async resolve() {
      asked += 1;
      return lists[Math.min(asked, lists.length) - 1] ?? [];
    },
  };
}

async function decide(run: () => unknown): Promise<'allowed' | 'blocked'> {
  try {
    await run();
    return 'allowed';
  } catch (error) {
    if (error instanceof Failure) return 'blocked';
    throw error;
  }
}

function formatRowName(
  rows: readonly { url?: string; address?: string; why?: string | undefined }[],
  row: number,
): string {
  return `${row}: ${JSON.stringify(rows[row]?.url ?? rows[row]?.address)} ${rows[row]?.why ?? ''}`;
}

describe('a URL', () => {
  test.each(vectors.urls.map((row, index) => ({ ...row, name: formatRowName(vectors.urls, index) })))(
    'is decided as in row $name of the table',
    async (row) => {
      const resolver = createListResolver([row.resolves ?? []]);
      const decided = await decide(async () => {
        const url = parseTarget(row.url);
        chooseRoute(url, noExceptions);
        const host = url.hostname.replace(/^\[|\]$/g, '');
        if (isIP(host) === 0) await resolveChecked(host, resolver.resolve);
      });
      expect(decided).toBe(row.expect);
      if (row.expect === 'allowed') return;

      const egress = createEgress({ allow: [], resolve: resolver.resolve });
      const error = await egress.request({ method: 'GET', url: row.url }).catch((error: unknown) => error);
      await egress.close();
      expect(error).toBeInstanceOf(EgressError);
      expect(error).toMatchObject({ delivery: 'not_sent' });
    },
  );
});

describe('an address', () => {
  test.each(vectors.addresses)('from a resolver is $expect: "$address"', async ({ address, expect: expected }) => {
    expect(findAddressRefusal(address) === undefined ? 'allowed' : 'blocked').toBe(expected);
    expect(await decide(() => resolveChecked('name.example', async () => [address]))).toBe(expected);
    expect(await decide(() => resolveChecked('name.example', async () => ['8.8.8.8', address]))).toBe(expected);
  });
});

describe('a redirect', () => {
  test.each(vectors.redirects)('is $expect: $method $status to $location, $why', async (row) => {
    const hop = {
      url: parseTarget(row.from),
      method: row.method,
      headers: new Map(Object.entries(vectors.redirectHeaders)),
      body: row.body,
    };
    function follow() {
      const next = buildNextHop(hop, { status: row.status, headers: { location: row.location } });
      chooseRoute(next.url, noExceptions);
      return next;
    }
    if (row.expect === 'blocked') {
      expect(follow).toThrow(Failure);
      return;
    }
    const next = follow();
    const { url, method, headers, body } = next;
    expect({ url: url.href, method, headers: [...headers.keys()], body }).toEqual({ body: undefined, ...row.next });
  });
});

describe('a name that changes its answer', () => {
  test.each(vectors.rebinding)('is looked up once for each connection: $why', async ({ answers, first, later }) => {
    const resolver = createListResolver(answers);
    expect(await decide(() => resolveChecked('rebind.example', resolver.resolve))).toBe(first);
    expect(resolver.asked()).toBe(1);
    expect(await decide(() => resolveChecked('rebind.example', resolver.resolve))).toBe(later);
    expect(resolver.asked()).toBe(2);
  });

  test.each(vectors.rebinding.filter(({ first }) => first === 'blocked'))(
    'is refused by egress without a second look-up: $why',
    async ({ answers }) => {
      const resolver = createListResolver(answers);
      const egress = createEgress({ allow: [], resolve: resolver.resolve });
      const call = egress.request({ method: 'GET', url: 'https://rebind.example/' });
      await expect(call).rejects.toMatchObject({ delivery: 'not_sent', diagnostics: { errorCategory: 'blocked' } });
      expect(resolver.asked()).toBe(1);
      await egress.close();
    },
  );
});

describe('the proxy settings of the environment', () => {
  let target: LocalServer;
  let proxy: LocalServer;
  let egress: Egress | undefined;
  beforeAll(async () => {
    target = await startServer((_entry, response) => response.end('direct'));
    proxy = await startServer((_entry, response) => response.end('through the proxy'));
  });
  afterAll(async () => {
    await target.close();
    await proxy.close();
  });

  test.each(vectors.environment)('send nothing through a proxy: $variables', async ({ variables }) => {
    const before = { ...process.env };
    try {
      for (const [name, value] of Object.entries(variables)) {
        process.env[name] = value.replace('{port}', String(proxy.port));
      }
      egress = createEgress({ allow: [target.origin] });
      const answer = await egress.request({ method: 'GET', url: `${target.origin}/` });
      expect(Buffer.from(answer.body).toString()).toBe('direct');
      await expect(egress.request({ method: 'GET', url: 'https://127.0.0.1:1/' })).rejects.toMatchObject({
        diagnostics: { errorCategory: 'blocked' },
      });
      expect(proxy.connections()).toBe(0);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      Object.assign(process.env, before);
      await egress?.close();
    }
  });
});
