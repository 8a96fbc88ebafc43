// Plays every example of the catalogue through one face against a server of its own, so that faces can be compared.
import type { Operation } from '#kernel/operation';
import type { GoogleEmulator } from '#emulators/google/index';
import { startTelegramEmulator } from '#emulators/telegram/index';
import { signIn, startServerWithGoogle, type Browser } from './google.ts';
import { type TestServer } from './server.ts';
import { findFreePort } from './free-port.ts';
import { waitForSync } from './syncs.ts';
import { connectBot, linkPhone } from './telegram.ts';
import { createWorld, type World } from './world.ts';
import { createEmulator } from 'emulate';

/** What a call came to: the body, or the error as every face tells it. */
export type Outcome = { body: unknown } | { code: string; message: string };

/** Who calls: the owner's key, or the owner's browser. */
export type Credential = { key: string } | Pick<Browser, 'headers'>;

/** One way in. */
export type Face = {
  name: string;
  call(server: TestServer, operation: Operation, input: Record<string, unknown>, as: Credential): Promise<Outcome>;
  takesCookies: boolean;
};

/** The stage of a play: a server with a person's things, their browser, and their Google. */
export type Stage = {
  server: TestServer;
  google: GoogleEmulator;
  world: World;
  browser: Browser;
  close(): Promise<void>;
};

/** Operations that a person runs in the browser; a key is refused. */
export const browserOperations = ['start_oauth', 'finish_oauth'];

/** Operations that a person does on a surface of their own; every key is refused, on every face in the same words. */
export const personOperations = ['answer_action'];

/** Operations that only a person may do who signed in to the console; keys, and what keys open, are refused in the same words. */
export const consoleOperations = [
  'switch_workspace',
  'accept_invitation',
  'create_workspace',
  'delete_workspace',
  'leave_workspace',
  'hand_over_workspace',
  'list_authenticators',
  'set_password',
  'begin_passkey',
  'add_passkey',
  'begin_totp',
  'add_totp',
  'new_recovery_codes',
  'remove_authenticator',
  'update_profile',
  'add_address',
  'confirm_address',
  'remove_address',
  'show_webhook_secret',
  'show_draft_values',
];

/** Operations of the code of automations; everybody else is refused, on every face in the same words. */
export const codeOperations = ['automation_kv', 'automation_llm_complete'];

/** Operations that need a language model, which the stage does not have. */
export const modelOperations = ['run_board_skill'];

/** Operations that read outside, and whose example waits for a secret. */
export const waitingOperations = ['run_recipe_install'];

/** The OAuth client that the example of `configure_oauth_provider` sets; the emulator knows it, so that linking goes on. */
const exampleClient = { id: '1234.apps.googleusercontent.com', secret: 'GOCSPX-EXAMPLE' };

/** The token that the example of `connect_with_token` enters; the emulated GitHub knows it. */
const exampleToken = 'github_pat_11EXAMPLE0000000000000';

export async function openStage(): Promise<Stage> {
  const github = await createEmulator({
    service: 'github',
    port: await findFreePort(),
    seed: {
      tokens: { [exampleToken]: { login: 'octocat', scopes: ['repo'] } },
      github: {
        users: [{ login: 'octocat' }, { login: 'ada' }],
        repos: [{ owner: 'ada', name: 'engine' }], // the example of `refresh_dataset_recipe` reads it
      },
    },
  });
  const telegram = await startTelegramEmulator();
  const {
    server,
    google,
    close: closeServer,
  } = await startServerWithGoogle({
    THALAMUS_GITHUB_BASE_URL: github.url,
    THALAMUS_TELEGRAM_BASE_URL: telegram.url,
  });
  const bot = telegram.addBot({ username: 'example_bot' });
  await connectBot(server, bot);
  await linkPhone(server, telegram, { user: telegram.addUser({ firstName: 'Ada', username: 'ada' }), bot });
  const close = async () => {
    await closeServer();
    await github.close();
    await telegram.close();
  };
  google.addClient({ ...exampleClient, redirectUris: [/^http:/] });
  const world = createWorld(server, google);
  const browser = await signIn(server);
  await world.make('page');
  return { server, google, world, browser, close };
}

/** Plays one example. Returns its results, without the parts that differ from run to run. */
export async function play(stage: Stage, face: Face, operation: Operation, position: number): Promise<unknown> {
  const input = await buildInput(stage, operation, position);
  const { server, browser } = stage;
  const isForBrowser = browserOperations.includes(operation.name) && face.takesCookies;
  const credential = isForBrowser ? browser : { key: server.key };
  const outcome = await face.call(server, operation, input, credential);
  if ('body' in outcome && readsLater.includes(operation.name)) await waitForSync(server, getSyncId(outcome.body));
  return maskVarying(stage, outcome);
}

/** Operations after whose answer something is still read; what others answer then must not depend on how far that is. */
const readsLater = ['sync_integration', 'run_sync'];

function getSyncId(body: unknown): string {
  return String((body as { sync_id: string }).sync_id); // both answer it
}

async function buildInput(stage: Stage, operation: Operation, position: number): Promise<Record<string, unknown>> {
  const input = operation.examples[position]?.input ?? {};
  if (operation.toolset === 'integrations') await stage.world.make('connection');
  return operation.name === 'finish_oauth' ? giveConsent(stage) : stage.world.real(input);
}

/** What the provider sends the browser back with, after the person agreed. */
async function giveConsent({ google, browser }: Stage): Promise<Record<string, unknown>> {
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'google', source: 'gmail' });
  const target = await google.approve(String(authorization_url), { email: 'ada@example.com' });
  const { code, state } = Object.fromEntries(new URL(target).searchParams);
  return { code, state };
}

/** Takes out what differs between two servers that did the same: ids, times, addresses and one-time secrets. */
function maskVarying({ server, google }: Stage, outcome: Outcome): unknown {
  const text = JSON.stringify(outcome)
    .replaceAll(new RegExp(`http://(127.0.0.1|localhost):${new URL(server.url).port}`, 'g'), '<server>')
    .replaceAll(encodeURIComponent(`http://localhost:${new URL(server.url).port}`), '<server>')
    .replaceAll(google.url, '<google>')
    .replaceAll(google.client.id, '<client>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d{2}:\d{2} UTC/g, '<time>')
    .replaceAll(/\b(bf|cm|tl|sv|tg|zwh|zfeed)_[\w-]{43}/g, '$1_<secret>')
    .replaceAll(/\/hooks\/automations\/[\w-]{22}/g, '/hooks/automations/<secret>')
    .replaceAll(/\/v1\/webhook\/[\w-]{22}/g, '/v1/webhook/<slug>')
    .replaceAll(/"webhook_slug":"[\w-]{22}"/g, '"webhook_slug":"<slug>"')
    .replaceAll(/"(webhook|signing)_secret":"(?:whsec_)?[\w+/=-]{43,}"/g, '"$1_secret":"<secret>"')
    .replaceAll(/\bcm_[\w-]{6}…/g, '<prefix>')
    .replaceAll(/"zwh_[\w-]{5}"/g, '"<prefix>"')
    .replaceAll(/\bsec_[A-Za-z0-9]{24}\b/g, '<handle>')
    // A page that is written here has a reference of its own, by which its slug ends.
    .replaceAll(/("slug":"(?:(?:meeting-)?note|chat-session)-[^"]*-)[0-9a-z]{10}"/g, '$1<own>"')
    .replaceAll(/"duration_ms":\d+/g, '"duration_ms":0')
    .replaceAll(/\w{3}, \d{2} \w{3} \d{4} [\d:]+ GMT/g, '<time>')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replaceAll(/\b[0-9a-f]{32}\b/g, '<event id>')
    .replaceAll(/\beid=\w+/g, 'eid=<event id>')
    .replaceAll(/(?<!":)\b[0-9a-f]{16}\b/g, '<gmail id>')
    .replaceAll(/\bquarterly-budget-[0-9a-z]{10}\b/g, '<slug>')
    .replaceAll(/"face":"\w+"/g, '"face":"<face>"')
    .replaceAll(/"external_subject":"\d+"/g, '"external_subject":"<subject>"')
    .replaceAll(/"chat_id":\d+/g, '"chat_id":0')
    .replaceAll(/"took_ms":\d+/g, '"took_ms":0')
    // What is sealed by now, and under which seal, depends on the second.
    .replaceAll(/"(seals?|unsealed_rows)":(\d+|null)/g, '"$1":0')
    .replaceAll(/"(?:sealed|open):[^"]*"/g, '"<place>"')
    .replaceAll(/"unsealed_since":(null|"<time>")/g, '"unsealed_since":null')
    .replaceAll(/"gmail_draft_id":"r-\d+"/g, '"gmail_draft_id":"<random>"')
    .replaceAll(/\b(state|code_challenge)=[\w-]+/g, '$1=<random>');
  return JSON.parse(text, (name, value: unknown) => {
    if (name === 'constellations') return []; // gathered beside the calls, once a minute
    if (name === 'constellation_id') return null;
    return name === 'head' ? null : value; // null until something is sealed
  });
}
