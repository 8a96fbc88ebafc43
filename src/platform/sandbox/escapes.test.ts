import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../../../tests/support/http-recorder.ts';
import { isDeep } from '../../../tests/support/depth.ts';
import { changingAttempts, hostileRuns, refusedAttempts } from './escape-attempts.ts';
import { createSandbox } from './index.ts';

const turn = { kind: 'run' as const, of: 'ada' };

const sandbox = createSandbox();
const folder = mkdtempSync(join(tmpdir(), 'thalamus-escape-'));
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

const limits = { wallMs: 3_000, calls: 200 };
const host = { operation: async (params: unknown) => ({ got: JSON.stringify(params).length }) };

test('the list has at least 60 attempts', () => {
  expect(refusedAttempts.length + changingAttempts.length + hostileRuns.length).toBeGreaterThanOrEqual(60);
});

/** In the deep run each attempt has a process of its own. */
const shared = isDeep ? {} : { domain: 'attempts' };

test.for(refusedAttempts)('code cannot %s', async ([, attempt]) => {
  await expectNoEscape(attempt, shared);
});

test('the process in which the attempts were refused still does what code may do', async () => {
  const source = 'return (await brains.note({ n: 1 })).got';
  const result = await sandbox.run({ turn, source, host, limits, ...shared });
  expect(result).toMatchObject({ status: 'succeeded', value: expect.any(Number) });
});

test.for(changingAttempts)('code cannot %s', async ([, attempt]) => {
  await expectNoEscape(attempt, {});
});

async function expectNoEscape(attempt: string, where: { domain?: string }): Promise<void> {
  const { port, origin } = new URL(outside.url);
  const source = attempt.replaceAll('@FILE@', file).replaceAll('@URL@', origin).replaceAll('@PORT@', port);
  const result = await sandbox.run({ turn, source, host, limits, ...where });
  expect(result.value).not.toBe('ESCAPED');
  expect(JSON.stringify(result)).not.toContain('canary"');
  expect(readFileSync(file, 'utf8')).toBe('"canary"');
  expect(outside.requests).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

test.for(hostileRuns)('the attempt does no harm: %s', async ([, source, reason]) => {
  const wallMs = { wall_limit: 700, memory: 2_000 }[reason ?? ''] ?? 15_000; // a busy machine is not a failure
  const result = await sandbox.run({ turn, source, host, limits: { ...limits, wallMs } });
  if (reason === null) expect(result).toMatchObject({ status: 'succeeded', value: 'true' });
  else if (reason === 'memory') expect(result.status).not.toBe('succeeded');
  else expect(result).toMatchObject({ status: 'killed', reason });
  expect(result.stdout.length + result.stderr.length).toBeLessThan(600_000);
});
