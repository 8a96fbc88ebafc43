// A server whose every word is kept: answers, headers, events, the log at its finest, and at the end every table. What it was
// given by an emulated provider must not be among them.
import { createLog } from '#platform/log';
import type { Ledger } from '#emulators/kit/ledger';
import { listCredentials } from './list-credentials.ts';
import { openAsOwner } from './owner-database.ts';
import { createSecretWatch } from './secret-watch.ts';
import { startTestServer, type TestServer } from './server.ts';

export type WatchedServer = TestServer & {
  /**
   * Every place where a secret was seen: of the client, of what the provider issued or was sent as a credential, and of
   * `also`. Throws when nothing was watched.
   */
  leaks(also?: Readonly<Record<string, string>>): Promise<string[]>;
};

type Emulator = { ledger: Pick<Ledger, 'ever'>; client?: { secret: string } };

/** As `startTestServer`. */
export async function startWatchedServer(
  emulator: Emulator,
  settings: Record<string, string> = {},
): Promise<WatchedServer> {
  const watch = createSecretWatch();
  const log = createLog('trace', { write: (line) => watch.say('the log', line, false) });
  const server = await startTestServer(settings, {
    log,
    ask: async (url, init) => {
      const response = await fetch(url, init);
      const where = `${init?.method ?? 'GET'} ${new URL(url).pathname}`;
      watch.say(`the headers of ${where}`, JSON.stringify([...response.headers]));
      watch.say(`the answer of ${where}`, await response.clone().text());
      return response;
    },
  });
  const database = await openAsOwner(server.connectionString);
  const events = listen(server, (text) => watch.say('the events', text, false));
  return {
    ...server,
    async leaks(also = {}) {
      if (emulator.client) watch.secret('the client secret', emulator.client.secret);
      for (const entry of emulator.ledger.ever())
        for (const value of listCredentials(entry)) watch.secret(`what ${entry.path} saw`, value);
      for (const [what, value] of Object.entries(also)) watch.secret(what, value);
      const { secrets, said } = watch.extent();
      if (!secrets || !said) throw new Error('nothing was watched');
      return watch.leaks(await database.dump());
    },
    async close() {
      events.abort();
      await database.close();
      await server.close();
    },
  };
}

/** Reads the stream of events until it is stopped. */
export function listen(server: Pick<TestServer, 'url' | 'key'>, onText: (text: string) => void): AbortController {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${server.key}` };
  const reading = async () => {
    const response = await fetch(`${server.url}/v1/events`, { headers, signal: stop.signal });
    for await (const chunk of response.body ?? []) onText(Buffer.from(chunk).toString());
  };
  reading().catch(() => {}); // it ends by being stopped
  return stop;
}
