// Every provider as an emulator on this machine, with the week of two colleagues in it.
import { seedDemo } from '../emulators/google/demo.ts';
import { startDiscordEmulator } from '../emulators/discord/index.ts';
import { startGitHubEmulator } from '../emulators/github/index.ts';
import { startGoogleEmulator } from '../emulators/google/index.ts';
import { startIcsEmulator } from '../emulators/ics/index.ts';
import { startLinearEmulator } from '../emulators/linear/index.ts';
import { startMicrosoftEmulator } from '../emulators/microsoft/index.ts';
import { startMondayEmulator } from '../emulators/monday/index.ts';
import { startNotionEmulator } from '../emulators/notion/index.ts';
import { startSlackEmulator } from '../emulators/slack/index.ts';
import { settingsOf } from '../crash/matrix/settings.ts';

const [ada, grace] = ['ada@example.com', 'grace@navy.example'];
const hourMs = 3_600_000;

/** The emulators, the settings of a server that takes them for the providers, and what a person needs to know of them. */
export async function startServices(now: Date) {
  const at = (hours: number) => new Date(now.getTime() + hours * hourMs);
  const [google, github, linear, slack] = [
    await startGoogle(now),
    await startGitHub(),
    await startLinear(),
    await startSlack(),
  ];
  const [microsoft, monday, notion] = [await startMicrosoft(at), await startMonday(), await startNotion()];
  const [discord, ics] = [await startDiscordEmulator(), await startIcsEmulator()];
  discord.addUser({ username: 'ada', email: ada });
  const holidays = ics.addFeed('Holidays');
  holidays.put({ uid: 'day-1', summary: 'The office is closed', start: { day: at(240).toISOString().slice(0, 10) } });
  const emulators = { google, github, linear, slack, microsoft, monday, notion, discord };
  return {
    ...emulators,
    hints: [
      'Google, Microsoft, GitHub, Linear, Slack, Monday and Notion: press Connect, choose Ada on the page that opens, and allow it.',
      `A calendar address: ${holidays.url}`,
    ],
    settings: {
      ...Object.assign({}, ...Object.entries(emulators).map(([name, emulator]) => settingsOf(name, emulator))),
      THALAMUS_EGRESS_ALLOW: ics.url,
    } as Record<string, string>,
    async close() {
      for (const emulator of [...Object.values(emulators), ics]) await emulator.close();
    },
  };
}
export type Services = Awaited<ReturnType<typeof startServices>>;

async function startGoogle(now: Date) {
  const google = await startGoogleEmulator();
  seedDemo(google, now);
  return google;
}

async function startGitHub() {
  const github = await startGitHubEmulator();
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

async function startLinear() {
  const linear = await startLinearEmulator();
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

async function startSlack() {
  const slack = await startSlackEmulator();
  slack.addUser({ name: 'ada', realName: 'Ada Lovelace', email: ada });
  slack.addUser({ name: 'grace', realName: 'Grace Hopper', email: grace });
  slack.addChannel({ name: 'engine', members: ['ada', 'grace'], topic: 'Wheels and cards' });
  slack.seedMessage('engine', { user: 'grace', text: 'The mill jammed again. I oiled the third wheel.' });
  slack.seedMessage('engine', { user: 'ada', text: 'Thank you! Release on Thursday then?' });
  return slack;
}

async function startMicrosoft(at: (hours: number) => Date) {
  const microsoft = await startMicrosoftEmulator();
  microsoft.addAccount({ email: ada, name: 'Ada Lovelace' });
  microsoft.seedMessage(ada, { from: grace, subject: 'Brass', text: 'The brass comes on Monday.', at: at(-20) });
  const utc = (hours: number) => ({ dateTime: at(hours).toISOString().slice(0, 19), timeZone: 'UTC' });
  microsoft.seedEvent(ada, { subject: 'Visit to the foundry', start: utc(50), end: utc(52) });
  return microsoft;
}

async function startMonday() {
  const monday = await startMondayEmulator();
  monday.addUser({ name: 'Ada', email: ada });
  const board = monday.addBoard({
    name: 'Foundry',
    columns: [{ id: 'status', title: 'Status', type: 'status', labels: ['To do', 'Done'] }],
  });
  monday.seedItem(board.id, { name: 'Cast forty wheels', by: 'Ada', values: { status: 'To do' } });
  return monday;
}

async function startNotion() {
  const notion = await startNotionEmulator();
  notion.addUser({ name: 'Ada', email: ada });
  notion.seedPage({
    title: 'How the mill works',
    by: 'Ada',
    text: ['Cards order the operations.', 'The store holds a thousand numbers.'],
  });
  return notion;
}
