// The integrations with code that the server brings: each is installed, activated and run twice against its emulator.
import { startGitHubEmulator } from '#emulators/github/index';
import { startMondayEmulator } from '#emulators/monday/index';
import { describe, expect, test } from 'vitest';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { linkAccount } from '../../../tests/support/linking.ts';
import { share } from '../../../tests/support/share.ts';

const email = 'ada@example.com';
const github = share(() => startGitHubEmulator());
const monday = share(() => startMondayEmulator({ newOauth: true }));
const world = share(() =>
  startServerWithGoogle({
    THALAMUS_GITHUB_BASE_URL: github.url,
    THALAMUS_GITHUB_CLIENT_ID: github.client.id,
    THALAMUS_GITHUB_CLIENT_SECRET: github.client.secret,
    THALAMUS_MONDAY_BASE_URL: monday.url,
    THALAMUS_MONDAY_CLIENT_ID: monday.client.id,
    THALAMUS_MONDAY_CLIENT_SECRET: monday.client.secret,
  }),
);

/** Installs it in a brain of its own. Answers how it is run by its automation, and what it stored. */
async function install(slug: string) {
  const { brain_id } = await world.server.ok('create_brain', { name: slug });
  const { automation_id = '' } = await world.server.ok('apply_starter_recipe', { slug, brain_id });
  expect(await world.server.ok('get_automation', { automation_id })).toMatchObject({ state: 'paused' });
  return {
    async run() {
      const { run_id } = await world.server.ok('run_automation_once', { automation_id, dry_run: false });
      const { status, result, stderr } = await world.server.ok('get_automation_run', { run_id });
      return { status, result, stderr };
    },
    async listTitles() {
      const { pages } = await world.server.ok('list_pages', { brain_id, limit: 200 });
      return pages.map(({ title }) => title).toSorted();
    },
  };
}

const buildSuccess = (stored: number) => ({ status: 'succeeded', result: { stored, cursor: expect.any(String) } });

describe('an integration with code', () => {
  test('gmail-inbox stores the threads of the inbox once, and new ones later', async () => {
    world.google.addAccount({ email, name: 'Ada' });
    await linkGoogle(world.server, world.google, { email, sources: ['gmail', 'calendar', 'drive'] });
    world.google.seedMail(email, { from: 'noah@example.com', subject: 'Wheels', text: 'Oil them.' });
    const inbox = await install('gmail-inbox');
    expect(await inbox.run()).toMatchObject(buildSuccess(1));
    expect(await inbox.run()).toMatchObject(buildSuccess(0));
    world.google.seedMail(email, { from: 'noah@example.com', subject: 'Gears', text: 'Turn them.' });
    expect(await inbox.run()).toMatchObject(buildSuccess(1));
    expect(await inbox.listTitles()).toEqual(['Gears', 'Wheels']);
  });

  test('gcalendar stores events of all calendars, past and coming ones', async () => {
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    const family = world.google.seedCalendar(email, { summary: 'Family', timeZone: 'UTC' });
    world.google.seedEvent(email, { summary: 'Review', start: hours(48), end: hours(49) });
    world.google.seedEvent(email, { summary: 'Dentist', calendarId: family.id, start: hours(-20), end: hours(-19) });
    world.google.seedEvent(email, { summary: 'Next year', start: hours(24 * 300), end: hours(24 * 300 + 1) });
    const calendar = await install('gcalendar');
    expect(await calendar.run()).toMatchObject(buildSuccess(2));
    expect(await calendar.run()).toMatchObject(buildSuccess(0));
    expect(await calendar.listTitles()).toEqual(['Dentist', 'Review']);
  });

  test('gdrive-files stores files that changed, once', async () => {
    world.google.seedFile(email, { name: 'Plan.txt', mimeType: 'text/plain', content: 'Build it.' });
    const files = await install('gdrive-files');
    expect(await files.run()).toMatchObject(buildSuccess(1));
    expect(await files.run()).toMatchObject(buildSuccess(0));
    expect(await files.listTitles()).toEqual(['Plan.txt']);
  });

  test('github-issues stores issues that changed since the last run', async () => {
    github.addUser({ login: 'ada' });
    github.addRepo({ owner: 'ada', name: 'engine' });
    github.seedIssue('ada/engine', { author: 'ada', title: 'Gears slip' });
    await linkAccount(world.server, { provider: 'github', source: 'github' }, (url) =>
      github.approve(url, { login: 'ada' }),
    );
    const issues = await install('github-issues');
    expect(await issues.run()).toMatchObject(buildSuccess(1));
    expect(await issues.run()).toMatchObject(buildSuccess(0));
    github.seedIssue('ada/engine', { author: 'ada', title: 'Wheels creak' });
    expect(await issues.run()).toMatchObject(buildSuccess(1));
    expect(await issues.listTitles()).toEqual(['Gears slip', 'Wheels creak']);
  });

  test('monday-items stores items that changed since the last run', async () => {
    monday.addUser({ name: 'Ada' });
    const columns = [{ id: 'status', title: 'State', type: 'status' as const, labels: ['Stuck', 'Done'] }];
    const board = monday.addBoard({ name: 'Engine', columns });
    monday.seedItem(board.id, { name: 'Oil it', by: 'Ada' });
    await linkAccount(world.server, { provider: 'monday', source: 'monday' }, (url) =>
      monday.approve(url, { user: 'Ada' }),
    );
    const items = await install('monday-items');
    expect(await items.run()).toMatchObject(buildSuccess(1));
    expect(await items.run()).toMatchObject(buildSuccess(0));
    expect(await items.listTitles()).toEqual(['Oil it']);
  });
});
