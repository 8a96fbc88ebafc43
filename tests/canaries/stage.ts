// Where secrets are planted: a server that keeps everything it says, so that all of it can be searched afterwards.
import { randomBytes } from 'node:crypto';
import { createLog } from '#platform/log';
import type { Client } from '@modelcontextprotocol/client';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import { startVaultEmulator } from '#emulators/vault/index';
import { signIn, type Browser } from '../support/google.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { createSecretWatch } from '../support/secret-watch.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { listen } from '../support/watched-server.ts';

/** The tools of a story. All its requests go through here and are recorded. */
export type CanaryStage = {
  server: TestServer;
  google: GoogleEmulator;
  telegram: TelegramEmulator;
  /** A foreign server that echoes requests. */
  outside: HttpRecorder;
  mcp: Client;
  browser: Browser;
  /** A new secret of letters, digits and signs that each encoding writes differently. ASCII goes into headers, too. */
  plant(what: string, of?: 'ascii' | 'any'): string;
  /** A secret that the server created; `isShownOnce`: a key on the page that shows it. */
  found(what: string, value: string, isShownOnce?: boolean): void;
  /** `POST /v1/tools/{operation}`, refusals too. */
  call(operation: string, input?: unknown, key?: string): Promise<Record<string, unknown>>;
  /** Any other request, such as for a page. Answers its text. */
  page(path: string, init?: RequestInit): Promise<{ status: number; text: string; headers: Headers }>;
};

export type CanaryRun = {
  stage: CanaryStage;
  /** Every place where a secret was seen that must not be; empty when all is well. */
  leaks(): Promise<string[]>;
  /** How many secrets were planted, and how much was said. */
  extent(): { secrets: number; said: number };
  close(): Promise<void>;
};

/** Opens the stage. `isVaultOutside`: secrets are kept in a vault of somebody else, whose token is one, too. */
export async function openCanaryStage({ isVaultOutside }: { isVaultOutside: boolean }): Promise<CanaryRun> {
  const { say, secret, leaks, extent } = createSecretWatch();
  const [google, outside] = [await startGoogleEmulator(), await startHttpRecorder()];
  const telegram = await startTelegramEmulator();
  outside.answer = 'echo';
  const vault = isVaultOutside ? await startVaultEmulator() : null;
  if (vault) secret('the token of the vault', vault.token);
  const server = await startTestServer(
    {
      THALAMUS_GOOGLE_BASE_URL: google.url,
      THALAMUS_TELEGRAM_BASE_URL: telegram.url,
      THALAMUS_EGRESS_ALLOW: outside.url,
      THALAMUS_SEND_TIMEOUT_SECONDS: '5',
      ...(vault && { THALAMUS_VAULT_URL: vault.url, THALAMUS_VAULT_TOKEN: vault.token }),
    },
    { log: createLog('trace', { write: (line) => say('the log', line, false) }) },
  );
  const database = await openAsOwner(server.connectionString);
  const mcp = await connectMcp(`${server.url}/mcp?toolsets=all`, server.key);
  const events = listen(server, (text) => say('the events', text, false));

  const stage: CanaryStage = {
    server,
    google,
    telegram,
    outside,
    mcp,
    browser: await signIn(server),
    plant(what, of = 'ascii') {
      const odd = of === 'any' ? 'ü"\\/ß' : '~';
      const value = `canary-${randomBytes(9).toString('hex')}/+=&?<b>${odd}${randomBytes(4).toString('hex')}`;
      secret(what, value);
      return value;
    },
    found: secret,
    async call(operation, input = {}, key = server.key) {
      const { body, headers } = await server.call(operation, input, { key });
      say(`the answer of ${operation}`, JSON.stringify(body));
      say(`the headers of ${operation}`, JSON.stringify([...headers]));
      return body;
    },
    async page(path, init) {
      const response = await server.request(path, { redirect: 'manual', ...init });
      const text = await response.text();
      say(`the page ${path.slice(0, 30)}`, text);
      say(`the headers of ${path.slice(0, 30)}`, JSON.stringify([...response.headers]));
      return { status: response.status, text, headers: response.headers };
    },
  };

  return {
    stage,
    leaks: async () => leaks(await database.dump()),
    extent,
    async close() {
      events.abort();
      await mcp.close();
      await database.close();
      await server.close();
      await Promise.all([google.close(), telegram.close(), outside.close(), vault?.close()]);
    },
  };
}
