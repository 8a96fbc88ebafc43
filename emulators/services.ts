// Every provider as an emulator on this machine, with the week of two colleagues in it.
import { seedDemo } from './google/demo.ts';
import { startDiscordEmulator } from './discord/index.ts';
import { startGitHubEmulator } from './github/index.ts';
import { startGoogleEmulator } from './google/index.ts';
import { startIcsEmulator } from './ics/index.ts';
import type { EmulatorOptions } from './kit/emulator.ts';
import { startLinearEmulator } from './linear/index.ts';
import { startMicrosoftEmulator } from './microsoft/index.ts';
import { startMondayEmulator } from './monday/index.ts';
import { startNotionEmulator } from './notion/index.ts';
import { startSlackEmulator } from './slack/index.ts';
import { buildOauthSettings } from './settings.ts';

const [ada, grace] = ['ada@example.com', 'grace@navy.example'];
const hourMs = 3_600_000;

/** The emulators that the demo has, each started with a little of somebody's week in it. */
export const services = {
  google: startGoogle,
  github: startGitHub,
  linear: startLinear,
  slack: startSlack,
  microsoft: startMicrosoft,
  monday: startMonday,
  notion: startNotion,
  discord: startDiscord,
  ics: startIcs,
};
export type ServiceName = keyof typeof services;

/** All of them, the settings of a server that takes them for the providers, and what a person needs to know of them. */
export async function startServices(now: Date) {
  const started = {
    google: await startGoogle(now),
    github: await startGitHub(now),
    linear: await startLinear(now),
    slack: await startSlack(now),
    microsoft: await startMicrosoft(now),
    monday: await startMonday(now),
    notion: await startNotion(now),
    discord: await startDiscord(now),
    ics: await startIcs(now),
  };
  return {
    ...started,
    hints: [
      'Google, Microsoft, GitHub, Linear, Slack, Monday and Notion: press Connect, choose Ada on the page that opens, and allow it.',
      `A calendar address: ${started.ics.feedUrl}`,
    ],
    settings: Object.assign(
      {},
      ...Object.entries(started).map(([name, emulator]) => buildEmulatorSettings(name, emulator)),
    ) as Record<string, string>,
    async close() {
      for (const emulator of Object.values(started)) await emulator.close();
    },
  };
}
export type Services = Awaited<ReturnType<typeof startServices>>;

type StartedEmulator = { url: string; client?: { id: string; secret: string } };

/** The settings of a server that takes an emulator for its provider. */
export function buildEmulatorSettings(name: string, { url, client }: StartedEmulator): Record<string, string> {
  return client ? buildOauthSettings(name, { url, client }) : { THALAMUS_EGRESS_ALLOW: url };
}

async function startDiscord(_now: Date, options: EmulatorOptions = {}) {
  const discord = await startDiscordEmulator(options);
  discord.addUser({ username: 'ada', email: ada });
  return discord;
}

async function startIcs(now: Date, options: EmulatorOptions = {}) {
  const ics = await startIcsEmulator(options);
  const holidays = ics.addFeed('Holidays');
  const day = createHourOffset(now)(240).toISOString().slice(0, 10);
  holidays.put({ uid: 'day-1', summary: 'The office is closed', start: { day } });
  return { ...ics, feedUrl: holidays.url };
}

function createHourOffset(now: Date) {
  return (hours: number) => new Date(now.getTime() + hours * hourMs);
}

async function startGoogle(now: Date, options: EmulatorOptions = {}) {
  const google = await startGoogleEmulator(options);
  seedDemo(google, now);
  return google;
}

async function startGitHub(_now: Date, options: EmulatorOptions = {}) {
  const github = await startGitHubEmulator(options);
  github.addUser({ login: 'ada', name: 'Ada Lovelace', email: ada });
  github.addUser({ login: 'grace', name: 'Grace Hopper', email: grace });
  github.addRepo({ owner: 'ada', name: 'engine', description: 'The Analytical Engine', members: { grace: 'write' } });
  const { number } = github.seedIssue('ada/engine', {
    author: 'grace',
    title: 'The carry is lost at the third wheel',
    body: 'Adding 999 and 1 gives 1900.',
    labels: ['bug'],
  });
  github.seedComment('ada/engine', number, { author: 'ada', body: 'Seen here, too. It slips when the mill is cold.' });
  return github;
}

async function startLinear(_now: Date, options: EmulatorOptions = {}) {
  const linear = await startLinearEmulator(options);
  linear.addUser({ name: 'Ada', email: ada });
  linear.addUser({ name: 'Grace', email: grace });
  linear.addTeam({ key: 'ENG', name: 'Engine' });
  linear.seedIssue('ENG', {
    title: 'Order brass for the mill',
    description: 'Forty wheels.',
    creator: 'Grace',
    assignee: 'Ada',
  });
  linear.seedIssue('ENG', { title: 'Note G: check the Bernoulli numbers', creator: 'Ada' });
  return linear;
}

async function startSlack(_now: Date, options: EmulatorOptions = {}) {
  const slack = await startSlackEmulator(options);
  slack.addUser({ name: 'ada', realName: 'Ada Lovelace', email: ada });
  slack.addUser({ name: 'grace', realName: 'Grace Hopper', email: grace });
  slack.addChannel({ name: 'engine', members: ['ada', 'grace'], topic: 'Wheels and cards' });
  slack.seedMessage('engine', { user: 'grace', text: 'The mill jammed again. I oiled the third wheel.' });
  slack.seedMessage('engine', { user: 'ada', text: 'Thank you! Release on Thursday then?' });
  return slack;
}

async function startMicrosoft(now: Date, options: EmulatorOptions = {}) {
  const at = createHourOffset(now);
  const microsoft = await startMicrosoftEmulator(options);
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  microsoft.seedMessage(ada, { from: grace, subject: 'Brass', text: 'The brass comes on Monday.', at: at(-20) });
  const utc = (hours: number) => ({ dateTime: at(hours).toISOString().slice(0, 19), timeZone: 'UTC' });
  microsoft.seedEvent(ada, { subject: 'Visit to the foundry', start: utc(50), end: utc(52) });
  return microsoft;
}

async function startMonday(_now: Date, options: EmulatorOptions = {}) {
  const monday = await startMondayEmulator(options);
  monday.addUser({ name: 'Ada', email: ada });
  const board = monday.addBoard({
    name: 'Foundry',
    columns: [{ id: 'status', title: 'Status', type: 'status', labels: ['To do', 'Done'] }],
  });
  monday.seedItem(board.id, { name: 'Cast forty wheels', by: 'Ada', values: { status: 'To do' } });
  return monday;
}

async function startNotion(_now: Date, options: EmulatorOptions = {}) {
  const notion = await startNotionEmulator(options);
  notion.addUser({ name: 'Ada', email: ada });
  notion.seedPage({
    title: 'How the mill works',
    by: 'Ada',
    text: ['Cards order the operations.', 'The store holds a thousand numbers.'],
  });
  return notion;
}
