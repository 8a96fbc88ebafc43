// Where secrets are planted: a server that keeps everything it says, so that all of it can be searched afterwards.
import { randomBytes } from 'node:crypto';
import { createLog } from '#platform/log';
import type { Client } from '@modelcontextprotocol/client';
import { startGoogleEmulator, type GoogleEmulator } from '../emulators/google/index.ts';
import { startTelegramEmulator, type TelegramEmulator } from '../emulators/telegram/index.ts';
import { signIn, type Browser } from '../support/google.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { openAsOwner } from '../support/owner-database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** A secret and where it must not be seen: anywhere, or anywhere but in the one answer that shows it. */
type Canary = { what: string; value: string; isShownOnce: boolean };

/** One thing that was said, and by whom. */
type Said = { where: string; text: string; isAnswer: boolean };

/** What a story works with. Everything it asks goes through here, and is kept. */
export type CanaryStage = {
  server: TestServer;
  google: GoogleEmulator;
  telegram: TelegramEmulator;
  /** A server of somebody else; it answers what it was sent. */
  outside: HttpRecorder;
  mcp: Client;
  browser: Browser;
  /** A new secret of letters, digits and signs that each encoding writes differently. ASCII goes into headers, too. */
  plant(what: string, of?: 'ascii' | 'any'): string;
  /** A secret that came about by itself; `isShownOnce` for a key of ours on the page that shows it. */
  found(what: string, value: string, isShownOnce?: boolean): void;
  /** `POST /v1/tools/{operation}`, refusals too. */
  call(operation: string, input?: unknown, key?: string): Promise<Record<string, unknown>>;
  /** Any other request, such as for a page. Answers its text. */
  page(path: string, init?: RequestInit): Promise<{ status: number; text: string; headers: Headers }>;
};

export type CanaryRun = {
  stage: CanaryStage;
  /** Every place where a secret was seen that must not be; empty when all is well. */
  leaks(forms: (value: string) => readonly string[]): Promise<string[]>;
  /** How many secrets were planted, and how much was said. */
  extent(): { canaries: number; said: number };
  close(): Promise<void>;
};

export async function openCanaryStage(): Promise<CanaryRun> {
  const said: Said[] = [];
  const canaries: Canary[] = [];
  const say = (where: string, text: string, isAnswer = true) => void said.push({ where, text, isAnswer });
  const [google, outside] = [await startGoogleEmulator(), await startHttpRecorder()];
  const telegram = await startTelegramEmulator();
  outside.answer = 'echo';
  const server = await startTestServer(
    {
      THALAMUS_GOOGLE_BASE_URL: google.url,
      THALAMUS_TELEGRAM_BASE_URL: telegram.url,
      THALAMUS_EGRESS_ALLOW: outside.url,
      THALAMUS_SEND_TIMEOUT_SECONDS: '5',
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
      canaries.push({ what, value, isShownOnce: false });
      return value;
    },
    found: (what, value, isShownOnce = false) => void canaries.push({ what, value, isShownOnce }),
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

  async function leaks(forms: (value: string) => readonly string[]): Promise<string[]> {
    const all = [...said, { where: 'a table', text: await database.dump(), isAnswer: false }];
    const seen = canaries.flatMap(({ what, value, isShownOnce }) =>
      forms(value).flatMap((form) =>
        all
          .filter(({ text, isAnswer }) => !(isShownOnce && isAnswer) && text.includes(form))
          .map(({ where, text }) => `${what} in ${where}: ${around(text, form)}`),
      ),
    );
    return [...new Set(seen)];
  }

  return {
    stage,
    leaks,
    extent: () => ({ canaries: canaries.length, said: said.length }),
    async close() {
      events.abort();
      await mcp.close();
      await database.close();
      await server.close();
      await Promise.all([google.close(), telegram.close(), outside.close()]);
    },
  };
}

function around(text: string, form: string): string {
  const at = text.indexOf(form);
  return text.slice(Math.max(0, at - 60), at + form.length + 20);
}

/** Reads the stream of events until it is stopped. */
function listen(server: TestServer, onText: (text: string) => void): AbortController {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${server.key}` };
  const reading = async () => {
    const response = await server.request('/v1/events', { headers, signal: stop.signal });
    for await (const chunk of response.body ?? []) onText(Buffer.from(chunk).toString());
  };
  reading().catch(() => {}); // it ends by being stopped
  return stop;
}
