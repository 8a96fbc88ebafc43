// One request has many spellings. Every check gives the same answer to each of them: what is judged is what leaves.
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyGrants } from '#kernel/grants';
import { isAsStrict, type Rule } from '#kernel/rule';
import { createEgress, fillAddress, parseAddress, findGetWriter, type Egress, type Handle } from '#platform/egress';
import { buildSubjectAsWritten } from '../../src/modules/policy/ask-policy.ts';
import { judge } from '../../src/modules/policy/judge.ts';
import { httpRequest } from '../../src/modules/variables/requests/http-request.ts';
import { listTargets, mayChange } from '../../src/modules/variables/requests/judge-request.ts';
import { createHttpFetch } from '../../src/modules/variables/operations/http-fetch.ts';
import { startServer, type LocalServer } from '../../src/platform/egress/local-server.ts';

const cases = { numRuns: 500 };
const words = [
  'api',
  'transfer',
  'notes',
  'admin',
  'chat.postMessage',
  'webhook',
  'macros',
  'v1',
  '~ada',
  'a-b_c',
  'update',
];
const hosts = ['slack.com', 'api.telegram.org', 'bank.example', 'x.app.n8n.cloud', 'script.google.com', '10.0.0.1'];
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;
const handle = `sec_${'h'.repeat(24)}`;

const requests = fc.record({
  method: fc.constantFrom(...methods),
  host: fc.constantFrom(...hosts),
  segments: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
  query: fc.constantFrom('', '?q=1', '?_method=DELETE', '?a=%74'),
});
const spellings = fc.record({
  host: fc.constantFrom('plain', 'dot', 'capitals', 'port'),
  /** Per letter of the path: whether it is escaped, and in which case. */
  escapes: fc.array(fc.constantFrom('', '', 'upper', 'lower'), { minLength: 12, maxLength: 12 }),
  detour: fc.constantFrom('', './', 'x/../', '%2e/', 'x/%2E%2e/', 'x/y/../../'),
  detourAt: fc.nat(3),
  /** Which segment stands behind a handle; beyond the last: none. */
  secretAt: fc.nat(6),
});
type Request = typeof requests extends fc.Arbitrary<infer T> ? T : never;
type Spelling = typeof spellings extends fc.Arbitrary<infer T> ? T : never;

const formatLiteral = ({ host, segments, query }: Request) => `https://${host}/${segments.join('/')}${query}`;

function formatSpelling({ host, segments, query }: Request, how: Spelling): { url: string; handles: Handle[] } {
  const name = { plain: host, dot: `${host}.`, capitals: host.toUpperCase(), port: `${host}:443` }[how.host];
  const isAddress = /^[\d.]+$/.test(host);
  const secret = segments[how.secretAt];
  const path = segments.map((segment, at) => {
    const detour = at === Math.min(how.detourAt, segments.length - 1) ? how.detour : '';
    return detour + (at === how.secretAt ? handle : escape(segment, how.escapes));
  });
  const handles = secret === undefined ? [] : [{ handle, value: secret, placements: ['path'], hosts: [host] }];
  return { url: `https://${isAddress && how.host === 'dot' ? host : name}/${path.join('/')}${query}`, handles };
}

function escape(segment: string, escapes: readonly string[]): string {
  return [...segment]
    .map((letter, at) => {
      const code = letter.charCodeAt(0).toString(16);
      const which = escapes[at % escapes.length];
      return which === 'upper' ? `%${code.toUpperCase()}` : which === 'lower' ? `%${code}` : letter;
    })
    .join('');
}

const patterns = fc.oneof(
  fc.constantFrom('*', 'POST *', '*/transfer', '*slack.com/api/*', 'GET *', '*/notes*', '*//*'),
  fc.tuple(fc.constantFrom(...hosts), fc.constantFrom(...words)).map(([host, word]) => `*${host}/${word}*`),
);
const rules = fc.array(
  fc.record({ effect: fc.constantFrom('allow', 'require_approval', 'require_human', 'block'), target: patterns }),
  { maxLength: 5 },
) as fc.Arbitrary<Rule[]>;

/** The action's own subject for a request as it leaves, judged by rules. */
function evaluateEffect(list: readonly Rule[], method: Request['method'], address: URL) {
  const payload = { method, url: address.href, headers: {}, variables: [] };
  const by = { account: address.hostname, caller: 'key' as const, ownRules: [] };
  return judge({ rules: list, floor: [] }, buildSubjectAsWritten(httpRequest, payload, by, null)).effect;
}

const captureOutcome = (work: () => unknown) => {
  try {
    return { ok: work() };
  } catch (error) {
    return { error: String(error) };
  }
};

let server: LocalServer;
let egress: Egress;
beforeAll(async () => {
  server = await startServer(({ url }, response) => {
    const to = /^\/leads\?to=(.*)$/.exec(url)?.[1];
    if (to === undefined) response.end('read');
    else response.writeHead(302, { location: decodeURIComponent(to) }).end();
  });
  egress = createEgress({ allow: [server.origin] });
});
afterAll(async () => {
  await egress.close();
  await server.close();
});
beforeEach(() => {
  server.ledger.length = 0;
});

test('policy, grants, previews and egress answer every spelling of a request as they answer the plain one', () => {
  const operation = createHttpFetch({ gate: {} } as never); // of it the grants ask the host alone
  fc.assert(
    fc.property(requests, spellings, rules, (request, how, list) => {
      const { method, host } = request;
      const literal = parseAddress(formatLiteral(request));
      const { url, handles } = formatSpelling(request, how);
      const address = fillAddress(url, handles);
      expect(address.href).toBe(literal.href);
      expect([findGetWriter(address), mayChange(method, address)]).toEqual([
        findGetWriter(literal),
        mayChange(method, literal),
      ]);
      expect(listTargets(method, address)).toEqual(listTargets(method, literal));
      expect(evaluateEffect(list, method, address)).toBe(evaluateEffect(list, method, literal));
      expect(captureOutcome(() => egress.check(url))).toEqual(captureOutcome(() => egress.check(literal.href)));
      const granted = (to: string) =>
        [[host], ['other.example']].map(
          (named) =>
            'ok' in
            captureOutcome(() =>
              applyGrants([{ tool: 'http_fetch', params: { hosts: named } }], operation, { url: to }),
            ),
        );
      expect(granted(url)).toEqual(granted(literal.href));
      const shown = (to: string) => {
        const payload = httpRequest.payload.parse({ method, url: to, headers: {}, variables: [] });
        return JSON.stringify(httpRequest.preview(payload)).replaceAll(handle, handles[0]?.value ?? handle);
      };
      expect(shown(url)).toBe(shown(literal.href));
    }),
    cases,
  );
});

test('another path that a server may take for a request is answered at least as strictly', () => {
  const encodings = fc.constantFrom(
    (path: string) => `//${path}`,
    (path: string) => `/x/..%2F${path}`,
    (path: string) => `/%2F${path.replaceAll('/', '%2f')}`,
    (path: string) => `/${path.replace(/^./, (letter) => `%25${letter.charCodeAt(0).toString(16)}`)}`,
    (path: string) => `/${path.replaceAll('/', ';v=1/')};v=2`,
    (path: string) => `/.%5C${path.replaceAll('/', '%5C')}`,
  );
  fc.assert(
    fc.property(requests, encodings, rules, (request, encode, list) => {
      const { method, host, segments } = request;
      const literal = parseAddress(`https://${host}/${segments.join('/')}`);
      const other = parseAddress(`https://${host}${encode(segments.join('/'))}`);
      expect(listTargets(method, other)).toContain(listTargets(method, literal)[0]);
      expect(isAsStrict(evaluateEffect(list, method, other), evaluateEffect(list, method, literal))).toBe(true);
      if (findGetWriter(literal)) expect(findGetWriter(other)).toBe(findGetWriter(literal));
    }),
    cases,
  );
});

test('a request that is spelt otherwise, or reached by a redirect, arrives as the plain one and is judged as it', async () => {
  const local = fc.record({ segments: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }) });
  await fc.assert(
    fc.asyncProperty(local, spellings, fc.boolean(), async ({ segments }, how, isRedirected) => {
      const { host, origin } = new URL(server.origin);
      const request: Request = { method: 'GET', host: '127.0.0.1', segments, query: '' };
      const { url, handles } = formatSpelling(request, { ...how, host: 'plain' });
      const written = url.replace('https://127.0.0.1', origin);
      const secrets = handles.map((each) => ({ ...each, hosts: [host] }));
      const asked: string[] = [];
      const plain = `${origin}/${segments.join('/')}`;
      // A redirect tells no handle, so that it is spelt without one.
      const target = isRedirected ? written.replace(handle, secrets[0]?.value ?? '') : written;
      const first = `${origin}/leads?to=${encodeURIComponent(target)}`;
      await egress.request({
        method: 'GET',
        url: isRedirected ? first : target,
        handles: secrets,
        readsOnly: true,
        mayReach: ({ href }) => void asked.push(href),
      });
      expect(asked).toEqual(isRedirected ? [first, plain] : [plain]);
      expect(origin + server.ledger.at(-1)?.url).toBe(plain);
      const refused = egress.request({
        method: 'GET',
        url: isRedirected ? first : target,
        handles: secrets,
        mayReach({ href }) {
          if (href === plain) throw new Error('blocked');
        },
      });
      const before = server.ledger.length;
      await expect(refused).rejects.toThrow('blocked');
      expect(server.ledger.slice(before).map((each) => origin + each.url)).toEqual(isRedirected ? [first] : []);
    }),
    cases,
  );
});
