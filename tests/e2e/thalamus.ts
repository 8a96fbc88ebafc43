import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDiscordEmulator, type DiscordEmulator } from '#emulators/discord/index';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { startHttpJsonEmulator, type HttpJsonEmulator } from '#emulators/http-json/index';
import { startIcsEmulator, type IcsEmulator } from '#emulators/ics/index';
import { startRotatingOAuth, type RotatingOAuth } from '#emulators/rotating-oauth/index';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import { runSql } from '../../bench/postgres.ts';
import { cloneDatabase, type TestConnection, type TestDatabase } from '../support/databases.ts';
import { findFreePort } from '../support/free-port.ts';
import { quickTimes } from '../support/quick-times.ts';
import { startReceiver, type Receiver } from './receiver.ts';

/** A real server with a fresh database, and the services it talks to. */
export type Thalamus = {
  url: string;
  google: GoogleEmulator;
  telegram: TelegramEmulator;
  discord: DiscordEmulator;
  /** Calendars and a JSON service, which need only an address. */
  ics: IcsEmulator;
  json: HttpJsonEmulator;
  /** A service that gets what is passed on. */
  receiver: Receiver;
  /** An OAuth server that no list names. */
  forge: RotatingOAuth;
  /** The link the terminal showed; it signs a person in, once. */
  signInLink: string;
  /** The owner's key, for what a person does with a script. */
  ownerKey: string;
  /** Calls an operation with a key; answers its output. Throws what the server refused. */
  call(key: string, operation: string, input?: object): Promise<Record<string, unknown>>;
  /** Its database, for what would take hours by the clock. Empty where the server has one of its own in its folder. */
  databaseUrl: string;
  /** Makes it an hour ago that people proved who they are, as if they had been away. */
  forgetProofs(): Promise<void>;
  /** Makes the addresses of all people proved, as a provider or a mail does. */
  proveAddresses(): Promise<void>;
  close(): Promise<void>;
};

/** The token of the one bot that Telegram has. */
export const botToken = `12345:${'a'.repeat(35)}`;

const root = join(import.meta.dirname, '../..');

/** The setting that says where the PostgreSQL of the run is. */
export const postgresSetting = 'TEST_POSTGRES';

/**
 * Starts the server as `npm start` does, on a free port. Resolves when its banner has come. `settings` are further variables, among them
 * an empty `DATABASE_URL` for the database that a server brings along. `host` is by which name a browser comes to it.
 */
export async function startThalamus(settings: Record<string, string> = {}, host = 'localhost'): Promise<Thalamus> {
  const google = await startGoogleEmulator();
  const discord = await startDiscordEmulator();
  const telegram = await startTelegramEmulator();
  telegram.addBot({ username: 'ada_notes_bot', token: botToken });
  const [ics, json] = [await startIcsEmulator(), await startHttpJsonEmulator()];
  const receiver = await startReceiver();
  const folder = await mkdtemp(join(tmpdir(), 'thalamus-e2e-'));
  const port = await findFreePort();
  const url = `http://${host}:${port}`;
  const forge = await startRotatingOAuth(`${url}/api/oauth/callback`);
  const ownerKey = `cm_${randomBytes(24).toString('hex')}`;
  const database = settings['DATABASE_URL'] === undefined ? await createDatabase() : null;
  const databaseUrl = database?.connectionString ?? settings['DATABASE_URL'] ?? '';
  const { THALAMUS_URL: _url, THALAMUS_KEY: _key, DATABASE_URL: _database, ...inherited } = process.env;
  const child = spawn(process.execPath, ['cli/main.ts', 'start'], {
    cwd: root,
    env: {
      ...inherited,
      PORT: String(port),
      THALAMUS_PUBLIC_URL: url,
      THALAMUS_DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      THALAMUS_BOOTSTRAP_KEY: ownerKey,
      THALAMUS_TELEGRAM_BASE_URL: telegram.url,
      THALAMUS_DISCORD_BASE_URL: discord.url,
      THALAMUS_GOOGLE_BASE_URL: google.url,
      THALAMUS_GOOGLE_CLIENT_ID: google.client.id,
      THALAMUS_GOOGLE_CLIENT_SECRET: google.client.secret,
      THALAMUS_EGRESS_ALLOW: `${ics.url},${json.url},${forge.url},${receiver.url}`,
      ...quickTimes,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const signInLink = await linkInBanner(child);
  return {
    url,
    google,
    telegram,
    discord,
    ics,
    json,
    receiver,
    forge,
    signInLink,
    ownerKey,
    call: (key, operation, input = {}) => call(`http://localhost:${port}`, key, operation, input),
    databaseUrl,
    forgetProofs: () => change(databaseUrl, `update sessions set proved_at = proved_at - interval '1 hour'`),
    proveAddresses: () => change(databaseUrl, provesAddresses),
    async close() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      await Promise.all([google.close(), ics.close(), json.close(), forge.close(), receiver.close()]);
      await telegram.close();
      await discord.close();
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const provesAddresses = `insert into identity_addresses (email, identity_id, proved_at)
  select distinct on (email) lower(email), identity_id, now() from people on conflict do nothing`;

async function change(databaseUrl: string, statement: string): Promise<void> {
  if (!databaseUrl) throw new Error('the database is in the folder of the server, where a journey does not reach it');
  await runSql(databaseUrl, statement);
}

/** One of its own in the PostgreSQL of the run. */
function createDatabase(): Promise<TestDatabase> {
  const connection = process.env[postgresSetting];
  if (!connection) throw new Error('the PostgreSQL of the run is started by tests/e2e/global-setup.ts');
  return cloneDatabase(JSON.parse(connection) as TestConnection);
}

function linkInBanner(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const link = /http\S+\/sign-in#tl_[\w-]+/.exec(said)?.[0];
      if (link) resolve(link);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => reject(new Error(`The server ended (${code}) before it was ready:\n${said}`)));
  });
}

async function call(url: string, key: string, operation: string, input: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/v1/tools/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const answer = (await response.json()) as Record<string, unknown>; // every answer of the server is a JSON object
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${String(answer['detail'])}`);
  return answer;
}
