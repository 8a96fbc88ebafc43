// What the suite of the protocol finds. Programs of others that call tools are in tests/e2e/programs-of-others.spec.ts.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../support/free-port.ts';
import { register } from '../support/oauth.ts';
import { pressAllow } from '../support/press-allow.ts';
import { startOauthServer } from './support.ts';

type OauthServer = Awaited<ReturnType<typeof startOauthServer>>;
let server: OauthServer['server'];
let owner: OauthServer['owner'];
let close: () => Promise<void>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thalamus-clients-'));
  ({ server, owner, close } = await startOauthServer());
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true, force: true });
});

const getProgramPath = (name: string, path: string) =>
  fileURLToPath(new URL(path, import.meta.resolve(`${name}/package.json`)));

test('the conformance suite finds nothing wrong with the authorization server', async () => {
  const port = await findFreePort();
  const { client_id } = await register(server, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const options = ['--url', server.url, '--client-id', client_id, '--resource', `${server.url}/mcp`];
  const suite = run(getProgramPath('@modelcontextprotocol/conformance', 'dist/index.js'), [
    'authorization',
    ...options,
    '-p',
    String(port),
    '-o',
    folder,
  ]);
  const output = suite.stdout ? text(suite.stdout) : '';
  const ended = once(suite, 'exit');
  await pressAllow(suite, server, owner);
  const [exitCode] = await ended;
  expect(exitCode, await output).toBe(0);
});

function run(program: string, options: string[], env: Record<string, string> = {}): ChildProcess {
  // Nothing here can open a browser: the program prints the address in its place.
  const settings = { ...process.env, ...env, PATH: folder };
  return spawn(process.execPath, [program, ...options], { stdio: 'pipe', env: settings });
}
