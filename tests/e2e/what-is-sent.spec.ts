// The approver sees everything: the fields that a view shows, and all others.
import type { Page } from '@playwright/test';
import { buildOauthSettings } from '#emulators/settings';
import { startMicrosoftEmulator, type MicrosoftEmulator } from '#emulators/microsoft/index';
import { listAxeProblems } from './axe.ts';
import { createAgentKey, declineAll } from './drafting.ts';
import { expect, test as base } from './fixture.ts';
import { linkSources } from './reading.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';

const email = 'iris@example.com';

const test = base.extend<object, { microsoft: MicrosoftEmulator; thalamus: Thalamus }>({
  microsoft: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const microsoft = await startMicrosoftEmulator();
      microsoft.addAccount({ email, name: 'Iris' });
      await use(microsoft);
      await microsoft.close();
    },
    { scope: 'worker' },
  ],
  thalamus: [
    async ({ microsoft }, use) => {
      const thalamus = await startThalamus(buildOauthSettings('microsoft', microsoft));
      thalamus.google.addAccount({ email, name: 'Iris' });
      await use(thalamus);
      await thalamus.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test.beforeEach(async ({ console: page, thalamus, microsoft }) => {
  const { integrations } = await thalamus.call(thalamus.ownerKey, 'list_integrations');
  if (JSON.stringify(integrations).includes(email)) return;
  await linkSources(page, thalamus, { account: email, sources: ['gmail', 'calendar'], access: 'act' });
  const outlook = { account: email, sources: ['outlook_mail', 'outlook_calendar'], access: 'act' };
  await linkSources(page, thalamus, outlook, { provider: 'microsoft', at: microsoft });
});
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

type Preview = { fields: { label: string; text: string }[] };

/** Drafts as an agent does, opens it on the console, and answers what the server says would be sent. */
async function open(page: Page, thalamus: Thalamus, request: object): Promise<Preview['fields']> {
  const key = await createAgentKey(thalamus);
  const { draft_id } = await thalamus.call(key, 'act_on_integration', { account: email, ...request });
  const { preview } = await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id });
  await page.goto(`/inbox/${String(draft_id)}`);
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeVisible();
  return (preview as Preview).fields; // as the operation answers
}

/** The values of a preview that do not stand on the draft's page, without those that it says in its own words. */
async function listMissingValues(page: Page, fields: Preview['fields'], inOwnWords: string[] = []): Promise<string[]> {
  const shown = await page.getByRole('region', { name: 'Draft', exact: true }).innerText();
  const plain = (text: string) => text.replaceAll(/[\s,]+/g, ' ');
  return fields
    .filter(({ label, text }) => !inOwnWords.includes(label) && !plain(shown).includes(plain(text)))
    .map(({ label }) => label);
}

const days = { source: 'calendar', action_name: 'create_event' };

test('an event of two weeks shows its first and last day, and the invited people who get a mail', async ({
  console: page,
  thalamus,
}) => {
  const input = { summary: 'Leave', start: '2027-06-01', end: '2027-06-15', attendees: ['ana@example.org'] };
  const fields = await open(page, thalamus, { ...days, input: { ...input, send_updates: 'externalOnly' } });
  const draft = page.getByRole('article');
  await expect(draft.getByText('Tuesday, June 1 – Monday, June 14, 2027 · 14 days')).toBeVisible();
  await expect(draft.getByText('Sends an invitation to external people only')).toBeVisible();
  expect(fields.map(({ label }) => label)).toContain('Calendar');
  expect(await listMissingValues(page, fields, ['Start', 'End', 'Invitations'])).toEqual([]);
  expect(await listAxeProblems(page)).toEqual([]);
});

test('an event of one whole day shows that day only, and an event of hours its year', async ({
  console: page,
  thalamus,
}) => {
  const day = { summary: 'Closed', start: '2027-06-01', end: '2027-06-02' };
  await open(page, thalamus, { ...days, input: day });
  await expect(page.getByRole('article').getByText('Tuesday, June 1, 2027', { exact: true })).toBeVisible();
  const hours = { summary: 'Far away', start: '2031-06-03T10:00:00Z', end: '2031-06-03T11:00:00Z' };
  await open(page, thalamus, { ...days, input: hours });
  await expect(page.getByRole('article').getByText(/June 3, 2031/)).toBeVisible();
});

test('the chosen number of invited people get a mail: nobody or everybody', async ({ console: page, thalamus }) => {
  const input = { summary: 'Tea', start: '2027-06-01', end: '2027-06-02', attendees: ['ana@example.org'] };
  await open(page, thalamus, { ...days, input: { ...input, send_updates: 'none' } });
  await expect(page.getByText('Sends no invitations')).toBeVisible();
  await open(page, thalamus, { ...days, input: { ...input, send_updates: 'all' } });
  await expect(page.getByText('Sends an invitation to everybody')).toBeVisible();
});

test('the facts that the server found for a mail and an event are beside the content', async ({
  console: page,
  thalamus,
}) => {
  const mail = { to: ['ana@example.org'], subject: 'Depths', body: 'They are attached.' };
  const content_base64 = Buffer.from('4.2').toString('base64');
  const attachments = [{ filename: 'depths.csv', mime_type: 'text/csv', content_base64 }];
  const sent = await open(page, thalamus, { source: 'gmail', action_name: 'send_email', input: mail, attachments });
  expect(await listMissingValues(page, sent, ['Attachments'])).toEqual([]);
  await expect(page.getByRole('article').getByText('text/csv')).toBeVisible();

  const noted = await open(page, thalamus, { source: 'outlook_mail', action_name: 'send_email', input: mail });
  expect(noted.map(({ label }) => label)).toContain('Also sent');
  expect(await listMissingValues(page, noted)).toEqual([]);

  const input = { summary: 'Sounding', start: '2027-06-01', end: '2027-06-03', attendees: ['ana@example.org'] };
  const event = await open(page, thalamus, { source: 'outlook_calendar', action_name: 'create_event', input });
  await expect(page.getByText('Outlook mails everybody who is invited.')).toBeVisible();
  expect(await listMissingValues(page, event, ['Start', 'End'])).toEqual([]);
  await expect(page.getByText('an invitation')).toHaveCount(0);
  expect(await listAxeProblems(page)).toEqual([]);
});
