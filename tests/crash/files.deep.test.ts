// A server is killed during the chunked upload of a mail's files. The mail still has each file once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMicrosoftEmulator, type MicrosoftEmulator } from '#emulators/microsoft/index';
import { createActionDraft, waitForOutcome } from '../support/acting.ts';
import { linkAccount } from '../support/linking.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';
import { endLeases } from '../support/time-passes.ts';
import { buildOauthSettings } from '#emulators/settings';

const key = `cm_${'fileskey'.repeat(5)}`;
const ada = 'ada@example.com';

let microsoft: MicrosoftEmulator;
let server: ServerProcess;
let settings: Record<string, string>;
let connectionString: string;
let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  microsoft = await startMicrosoftEmulator();
  microsoft.addAccount({ email: ada, name: 'Ada' });
  const database = await createTestDatabase();
  dropDatabase = database.drop;
  connectionString = database.connectionString;
  const times = { THALAMUS_SEND_TIMEOUT_SECONDS: '5', THALAMUS_SETTLE_AFTER_SECONDS: '1' };
  settings = {
    ...buildServerSettings(database.connectionString),
    ...times,
    ...buildOauthSettings('microsoft', microsoft),
  };
  server = await startServerProcess(settings, key);
  await linkAccount(server, { provider: 'microsoft', source: 'outlook_mail' }, (url) =>
    microsoft.approve(url, { email: ada }),
  );
});
afterAll(async () => {
  await server.stop();
  await microsoft.close();
  await dropDatabase();
});

const points = [
  { name: 'a small file was taken', request: { method: 'POST', path: /\/attachments$/ } },
  { name: 'a piece of a large file was taken', request: { method: 'PUT', path: /AttachmentSessions/ } },
] as const;

test.for(points)(
  'a server killed when $name sends the mail once, with each file once',
  { timeout: 120_000 },
  async (at) => {
    const files = { 'notes.txt': Buffer.from('Oil.'), 'film.mp4': Buffer.alloc(4_000_000, 'film ') };
    const id = await createActionDraft(server, {
      source: 'outlook_mail',
      action_name: 'send_email',
      input: { to: ['grace@example.net'], subject: at.name, body: 'Here.' },
      attachments: Object.entries(files).map(([filename, bytes]) => ({
        filename,
        content_base64: bytes.toString('base64'),
      })),
    });
    const pausedRequest = microsoft.failures.pause(at.request, 'after');
    server.call('confirm_action', { draft_id: id }).catch(() => {}); // the kill cuts it off
    await pausedRequest.reached;
    await server.kill();
    pausedRequest.release();
    microsoft.failures.clear();
    await endLeases(connectionString);
    server = await startServerProcess(settings, key);
    expect(await waitForOutcome(server, id, { milliseconds: 90_000 })).toMatchObject({
      status: 'confirmed',
      ledger_is_whole: true,
    });
    const sent = microsoft.messages(ada, 'sentitems').filter(({ subject }) => subject === at.name);
    const listFiles = ({ attachments }: (typeof sent)[number]) =>
      attachments.map(({ name, contentBytes }) => [name, Buffer.from(contentBytes, 'base64')]);
    expect(sent.map(listFiles)).toEqual([Object.entries(files)]);
    expect(microsoft.messages(ada, 'drafts')).toEqual([]);
  },
);
