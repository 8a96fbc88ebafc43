// Every attempt to get out of the sandbox, as the code of a translator.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '#platform/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { changingAttempts, hostileRuns, refusedAttempts } from '../../src/platform/sandbox/escape-attempts.ts';
import { translate } from '../../src/modules/webhooks/translating/translate.ts';

const sandbox = createSandbox();
const folder = mkdtempSync(join(tmpdir(), 'thalamus-translator-'));
const file = join(folder, 'canary.json');
let outside: HttpRecorder;

beforeAll(async () => {
  writeFileSync(file, '"canary"');
  outside = await startHttpRecorder();
});
afterAll(async () => {
  await sandbox.close();
  await outside.close();
  rmSync(folder, { recursive: true });
});

const input = { body: { text: 'lit' }, raw_body: '{"text":"lit"}', headers: {}, query: {} };
const run = (code: string, key: string | null) =>
  translate(sandbox, { runtime: 'v8', code }, input, { domain: key, turn: { kind: 'test', of: 'somebody' } });

test.for([...refusedAttempts, ...changingAttempts])('a translator cannot %s', async ([, attempt]) => {
  const { port, origin } = new URL(outside.url);
  const source = attempt.replaceAll('@FILE@', file).replaceAll('@URL@', origin).replaceAll('@PORT@', port);
  const answer = await run(`async function translate() {\n${source}\n}`, 'attempt');
  expect(answer.output).not.toBe('ESCAPED');
  expect(JSON.stringify(answer)).not.toContain('canary"');
  expect(readFileSync(file, 'utf8')).toBe('"canary"');
  expect(outside.requests).toEqual([]);
  expect({}).not.toHaveProperty('polluted');
});

test.for(hostileRuns)('a translator does no harm, and another one translates after it: %s', async ([, source]) => {
  const before = process.memoryUsage().rss;
  const answer = await run(`async function translate() {\n${source}\n}`, 'hostile');
  expect(answer.translation.kind).not.toBe('documents');
  expect(answer.logs.length).toBeLessThan(600_000);
  expect((process.memoryUsage().rss - before) / 1_000_000, 'MB more').toBeLessThan(400);
  const other = await run('function translate({ body }) { return { documents: [{ content: body.text }] }; }', 'other');
  expect(other.translation).toMatchObject({ kind: 'documents', documents: [{ content: 'lit' }] });
});
