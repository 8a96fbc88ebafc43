// Edits of drafts, and drafts that change existing items.
import { listAxeProblems } from './axe.ts';
import { account, createAgentKey, declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';
import { linkSources } from './reading.ts';
import type { Thalamus } from './thalamus.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

test('a change is shown as a change, its edited fields come first, and a failed change is drafted again', async ({
  console: page,
  thalamus,
}) => {
  const key = await createAgentKey(thalamus);
  const from = 'Grace <grace@example.com>';
  const { threadId: thread_id } = thalamus.google.seedMail(account, { from, subject: 'Gears', text: 'Six of them.' });
  const { draft_id } = await thalamus.call(key, 'act_on_integration', {
    source: 'gmail',
    account,
    action_name: 'label_thread',
    input: { thread_id, add: ['STARRED'] },
  });
  await page.goto(`/inbox/${String(draft_id)}`);
  await expect(page.getByRole('heading', { name: 'Label a thread', level: 3 })).toBeVisible();
  await expect(page.getByText(`Gears (${thread_id})`).last()).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Add').fill('STARRED\nIMPORTANT');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Changes')).toContainText('STARRED, IMPORTANT');
  expect(await listAxeProblems(page)).toEqual([]);
  thalamus.google.failures.next({ path: /modify$/ }, { kind: 'status', status: 403 });
  await page.getByRole('button', { name: 'Approve with edits' }).click();
  await expect(page.getByText(/Approved, but nothing was sent/)).toBeVisible();
  await page.getByRole('link', { name: 'Activity' }).click();
  const failed = page.getByRole('listitem').filter({ hasText: '→ Gears' });
  await expect(failed).toContainText(/403|refused|permission/i);
  await failed.getByRole('link').click();
  await page.getByRole('button', { name: 'Draft again' }).click();
  await expect(page).not.toHaveURL(new RegExp(String(draft_id)));
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByText('Updated.', { exact: true })).toBeVisible();
});

test('names and labels with commas stay whole when a draft is edited', async ({ console: page, thalamus }) => {
  const to = ['"Doe, Jane" <jane@example.com>', 'Ana <ana@example.com>'];
  const draftId = await createMailDraft(thalamus, { subject: 'Commas', to });
  const payload = async (id: string) => {
    const { payload: sent } = await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id: id });
    return sent as Record<string, unknown>; // as the operation answers
  };
  await page.goto(`/inbox/${draftId}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const field = page.getByLabel('To', { exact: true });
  await expect(field).toHaveValue(to.join('\n'));
  await field.fill(`${to.join(', ')}; ben@example.com\n"Poe; Ida" <ida@example.com>,\n`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Edited by Owner: to\./)).toBeVisible();
  await page.getByRole('button', { name: 'Approve with edits' }).click();
  await expect(page.getByText('Sent.', { exact: true })).toBeVisible();
  expect((await payload(draftId))['to']).toEqual([...to, 'ben@example.com', '"Poe; Ida" <ida@example.com>']);

  const from = 'Grace <grace@example.com>';
  const { threadId: thread_id } = thalamus.google.seedMail(account, { from, subject: 'Bills', text: 'Two of them.' });
  const { draft_id: labelling } = await thalamus.call(await createAgentKey(thalamus), 'act_on_integration', {
    source: 'gmail',
    account,
    action_name: 'label_thread',
    input: { thread_id, add: ['STARRED'] },
  });
  await page.goto(`/inbox/${String(labelling)}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByText('One per line. A line may contain commas.').first()).toBeVisible();
  await page.getByLabel('Add').fill('STARRED\nBills, paid');
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Changes')).toContainText('STARRED Bills, paid');
  await page.getByRole('button', { name: 'Approve with edits' }).click();
  await expect(page.getByText(/There is no label Bills, paid in this mailbox/).first()).toBeVisible();
  expect((await payload(String(labelling)))['add']).toEqual(['STARRED', 'Bills, paid']);
});

test('a changed event shows its present values', async ({ console: page, thalamus }) => {
  const email = 'ida@example.com';
  thalamus.google.addAccount({ email, name: 'Ida' });
  await linkSources(page, thalamus, { account: email, sources: ['calendar'], access: 'act' });
  const { id: event_id } = thalamus.google.seedEvent(email, {
    summary: 'Planning',
    start: '2027-06-01T12:00:00Z',
    end: '2027-06-01T13:00:00Z',
  });
  const key = await createAgentKey(thalamus);
  const { draft_id } = await thalamus.call(key, 'act_on_integration', {
    source: 'calendar',
    account: email,
    action_name: 'update_event',
    input: { event_id, summary: 'Planning, at last', start: '2027-06-02T12:00:00Z', end: '2027-06-02T13:00:00Z' },
  });
  await page.goto(`/inbox/${String(draft_id)}`);
  const field = (label: string) => page.locator('dt').getByText(label, { exact: true }).locator('+ dd, ~ dd').first();
  await expect(field('What')).toContainText('Planning, at last');
  await expect(field('What')).toContainText('Was: Planning');
  await expect(field('Start')).toHaveText(
    /2027-06-02T12:00:00Z · Jun 2, 2027.*Was: 2027-06-01T12:00:00Z · Jun 1, 2027/,
  );
  expect(await listAxeProblems(page)).toEqual([]);
});

test.describe('a clock far from that of the event', () => {
  test.use({ timezoneId: 'Asia/Kathmandu' });

  test('times of an event are edited in the editor’s time zone, and stay the same moments', async ({
    console: page,
    thalamus,
  }) => {
    const email = 'max@example.com';
    thalamus.google.addAccount({ email, name: 'Max' });
    await linkSources(page, thalamus, { account: email, sources: ['calendar'], access: 'act' });
    const draft = (input: object) => createEventDraft(thalamus, email, input);
    const planning = { summary: 'Planning', start: '2027-06-01T12:00:00+02:00', end: '2027-06-01T13:00:00+02:00' };
    await page.goto(`/inbox/${await draft(planning)}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByLabel('Start', { exact: true })).toHaveValue('2027-06-01T15:45');
    await page.getByLabel('Start', { exact: true }).fill('2027-06-01T17:00');
    await expect(page.getByLabel('End', { exact: true }), 'it stays as long').toHaveValue('2027-06-01T18:00');
    await page.getByLabel('End', { exact: true }).fill('2027-06-01T16:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('must be after start')).toBeVisible();
    await page.getByLabel('End', { exact: true }).fill('2027-06-01T17:30');
    expect(await listAxeProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(/Edited by Owner: start, end\./)).toBeVisible();
    await page.getByRole('button', { name: 'Approve with edits' }).click();
    await expect(page.getByText('Created.', { exact: true })).toBeVisible();
    const made = thalamus.google.ledger
      .ever()
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/events'));
    expect(made.at(-1)?.body).toMatchObject({
      summary: 'Planning',
      start: { dateTime: '2027-06-01T17:00:00+05:45' },
      end: { dateTime: '2027-06-01T17:30:00+05:45' },
    });

    await page.goto(`/inbox/${await draft({ summary: 'Fair', start: '2027-06-03', end: '2027-06-05' })}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Start', { exact: true }).fill('2027-06-30');
    await expect(page.getByLabel('End', { exact: true })).toHaveValue('2027-07-02');
    await page.getByLabel('End', { exact: true }).fill('2027-07-03');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText(/Edited by Owner: start, end\./)).toBeVisible();
    await expect(page.getByText(/3 days/)).toBeVisible();
  });
});

test.describe('a clock change', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('keeps the meaning of an hour that comes twice, and moves a skipped hour to the next', async ({
    console: page,
    thalamus,
  }) => {
    const email = 'eva@example.com';
    thalamus.google.addAccount({ email, name: 'Eva' });
    await linkSources(page, thalamus, { account: email, sources: ['calendar'], access: 'act' });
    const edited = async (start: string, end: string, to: string) => {
      const draft_id = await createEventDraft(thalamus, email, { summary: 'Night shift', start, end });
      await page.goto(`/inbox/${draft_id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Start', { exact: true }).fill(to);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Approve with edits' }).click();
      await expect(page.getByText('Created.', { exact: true })).toBeVisible();
      const { payload } = await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id });
      return (payload as { start: string }).start;
    };
    const [twice, left] = ['2027-10-31', '2027-03-28'];
    expect(await edited(`${twice}T02:30:00+01:00`, `${twice}T05:00:00+01:00`, `${twice}T02:45`)).toBe(
      `${twice}T02:45:00+01:00`,
    );
    expect(await edited(`${left}T01:30:00+01:00`, `${left}T05:00:00+02:00`, `${left}T02:30`)).toBe(
      `${left}T03:30:00+02:00`,
    );
  });
});

test('an event is shown on its day, beside the events it overlaps', async ({ console: page, thalamus }) => {
  const email = 'ines@example.com';
  const { calendars } = thalamus.google.addAccount({ email, name: 'Ines' });
  await linkSources(page, thalamus, { account: email, sources: ['calendar'], access: 'act' });
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const at = (time: string) => `${day}T${time}:00Z`;
  thalamus.google.seedEvent(email, { summary: 'Dentist', start: at('09:30'), end: at('10:30') });
  thalamus.google.seedEvent(email, { summary: 'Lunch with Ana', start: at('12:00'), end: at('13:00') });
  const input = { start: day, end: new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10) };
  await thalamus.call(thalamus.ownerKey, 'fetch_from_integration', { source: 'calendar', input, account: email });
  const { draft_id } = await thalamus.call(await createAgentKey(thalamus), 'act_on_integration', {
    source: 'calendar',
    account: email,
    action_name: 'create_event',
    input: { summary: 'Planning', start: at('10:00'), end: at('11:00') },
  });
  await page.goto(`/inbox/${String(draft_id)}`);
  const grid = page.getByRole('region', { name: 'The day' });
  await expect(grid.getByText('At the same time: Dentist')).toBeVisible();
  await expect(grid.getByRole('listitem')).toHaveText([/Dentist/, /Planning/, /Lunch with Ana/]);
  const [dentist, planning, lunch] = await Promise.all(
    [0, 1, 2].map(async (n) => (await grid.getByRole('listitem').nth(n).boundingBox()) ?? { x: 0, y: 0, width: 0 }),
  );
  expect(planning?.x, 'what is at the same time stands beside it').toBeGreaterThan((dentist?.x ?? 0) + 20);
  expect(lunch?.width, 'what is alone has all of the width').toBeGreaterThan((dentist?.width ?? 0) * 1.5);
  expect(await listAxeProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Location').fill('The quay');
  await page.getByLabel('Summary').fill('Planning the move');
  await page.getByRole('button', { name: 'Save' }).click();
  const changes = page.getByLabel('Changes');
  await expect(changes.getByRole('insertion').first()).toContainText('the move');
  expect(await listAxeProblems(page)).toEqual([]);

  const events = () => [...(calendars.calendars.get(email)?.events.values() ?? [])];
  const planned = () => events().filter(({ content }) => content.summary === 'Planning the move');
  await page.getByRole('button', { name: 'Approve with edits' }).click();
  const toast = page.getByRole('dialog', { name: 'Created “Planning the move”' });
  await expect(toast).toBeVisible();
  expect(planned()).toMatchObject([{ content: { location: 'The quay' } }]);
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone', { exact: true }).first()).toBeVisible();
  expect(planned().filter(({ status }) => status !== 'cancelled')).toEqual([]);
});

test('the notice of an undo does not cover the buttons of the next draft, and an event does not conflict with itself', async ({
  console: page,
  thalamus,
}) => {
  const email = 'otto@example.com';
  thalamus.google.addAccount({ email, name: 'Otto' });
  await linkSources(page, thalamus, { account: email, sources: ['calendar'], access: 'act' });
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const times = { start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };
  const [first, second] = [
    await createEventDraft(thalamus, email, { summary: 'Regatta', ...times }),
    await createEventDraft(thalamus, email, { summary: 'Regatta, the prizes', ...times }),
  ];
  for (const width of [1280, 700, 400]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 1280) {
      await page.goto(`/inbox/${first}`);
      await page.getByRole('button', { name: 'Approve & save' }).click();
      await expect(page.getByRole('dialog', { name: 'Created “Regatta”' })).toContainText('Undo');
      await expect(page).toHaveURL(new RegExp(second));
    }
    await page.getByRole('button', { name: 'Edit' }).click({ trial: true, timeout: 4_000 }); // before the notice goes
    await page.getByRole('button', { name: 'Decline' }).click({ trial: true, timeout: 4_000 }); // before the notice goes
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const input = { start: day, end: new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10) };
  await thalamus.call(thalamus.ownerKey, 'fetch_from_integration', { source: 'calendar', input, account: email });
  await page.goto(`/inbox/${second}`);
  const grid = page.getByRole('region', { name: 'The day' });
  await expect(grid.getByText('At the same time: Regatta')).toBeVisible();
  await page.goto(`/inbox/${first}`);
  await expect(page.getByText('Created.', { exact: true })).toBeVisible();
  await expect(grid.getByRole('listitem')).toHaveText([/Regatta/]);
  await expect(grid.getByText('At the same time')).toHaveCount(0);
});

/** Drafts an event as an agent does; answers the draft's id. */
async function createEventDraft(thalamus: Thalamus, who: string, input: object): Promise<string> {
  const request = { source: 'calendar', account: who, action_name: 'create_event', input };
  return String((await thalamus.call(await createAgentKey(thalamus), 'act_on_integration', request))['draft_id']);
}

test('a person extends a waiting draft beside its time, and the record says until when', async ({
  console: page,
  thalamus,
}) => {
  const draft_id = await createMailDraft(thalamus, { subject: 'Not today' });
  await page.goto(`/inbox/${draft_id}`);
  await page.getByRole('button', { name: 'Extend', exact: true }).click();
  const dialog = page.getByRole('dialog');
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByLabel('Wait from now').selectOption({ label: '1 day' });
  await dialog.getByRole('button', { name: 'Extend draft' }).click();
  await expect(page.getByText('Draft extended')).toBeVisible();
  await expect(page.getByRole('article').getByText(/2[34] h left/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Waiting' }).getByText(/2[34] h left/)).toBeVisible();
  await page.getByText(/^Activity \(/).click();
  await expect(page.getByText(/by .* · until /)).toBeVisible();
});
