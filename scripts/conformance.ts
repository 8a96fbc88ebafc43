/** Runs the MCP conformance suite against a whole server, for each wire version that it serves. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#platform/log';
import { readConfig } from '../src/configuration.ts';
import { startServer } from '../src/server.ts';
import { createConformanceAdditions } from '../tests/conformance/additions.ts';
import { startKeyProxy } from '../tests/conformance/key-proxy.ts';
import { runSuite, type SuiteResult } from '../tests/conformance/run-suite.ts';

const revisions = ['2025-11-25', '2026-07-28'];

const folder = mkdtempSync(join(tmpdir(), 'thalamus-conformance-'));
try {
  const results = await runAll();
  const [passed, failed] = (['passed', 'failed'] as const).map((kind) => results.flatMap((each) => each[kind]).length);
  process.exitCode = failed ? 1 : 0;
  console.log(`${passed} passed, ${failed} failed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runAll(): Promise<SuiteResult[]> {
  const key = `cm_${'conformance'.repeat(4)}`;
  const server = await start(key);
  const proxy = await startKeyProxy(server.url, key);
  const results: SuiteResult[] = [];
  try {
    for (const revision of revisions) {
      console.log(`MCP ${revision} …`);
      const result = await runSuite({ url: `${proxy.url}/mcp`, revision, folder: join(folder, revision) });
      console.log(report(result));
      results.push(result);
    }
  } finally {
    await proxy.close();
    await server.close();
  }
  return results;
}

function start(key: string) {
  chmodSync(folder, 0o711); // as root the database runs under another account, which has to pass through
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    THALAMUS_DATA_DIR: join(folder, 'data'),
    THALAMUS_BOOTSTRAP_KEY: key,
    THALAMUS_LOG_LEVEL: 'warn',
  });
  return startServer(config, createLog(config.logLevel), createConformanceAdditions());
}

function report({ passed, expected, failed, unscored, output }: SuiteResult): string {
  const lines = [
    `  ${passed.length} scenarios hold`,
    ...(expected.length ? [`  ${expected.length} fail as expected: ${expected.join(', ')}`] : []),
    ...(unscored.length ? [`  ${unscored.length} fail and do not count: ${unscored.join(', ')}`] : []),
  ];
  if (failed.length) lines.push(output, `  ${failed.length} fail: ${failed.join(', ')}`);
  return lines.join('\n');
}
