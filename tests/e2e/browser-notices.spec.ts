import type { Page } from '@playwright/test';
import { createAgentKey, declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { wholeBrowserOptions } from './browser.ts';
import { expect, test } from './fixture.ts';

type ShownNotice = { title: string; body: string; tag: string; shown: boolean; closed: boolean };

/** Watches the browser's own notices, which are shown all the same, and lets a test leave the page. */
const watching = `
  window.notices = [];
  window.Notification = new Proxy(window.Notification, {
    construct(Real, [title, options]) {
      const notice = new Real(title, options);
      const seen = { title, ...options, shown: false, closed: false, notice };
      notice.addEventListener('show', () => (seen.shown = true));
      const close = notice.close.bind(notice);
      notice.close = () => { seen.closed = true; close(); };
      window.notices.push(seen);
      return notice;
    },
  });
  window.inView = true;
  Object.defineProperty(document, 'visibilityState', { get: () => (window.inView ? 'visible' : 'hidden') });
  window.look = (inView) => { window.inView = inView; document.dispatchEvent(new Event('visibilitychange')); };
`;

test.use({ launchOptions: wholeBrowserOptions });

test.beforeEach(async ({ console: page, context, thalamus }) => {
  await linkGmail(page, thalamus);
  await context.grantPermissions(['notifications'], { origin: thalamus.url });
  await page.addInitScript(watching);
  await page.goto('/account/notifications');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test.afterEach(async ({ thalamus }) => declineAll(thalamus));

const listNotices = async (page: Page): Promise<ShownNotice[]> =>
  page.evaluate(
    `window.notices.filter(({ tag }) => tag !== 'thalamus-on').map(({ title, body, tag, shown, closed }) => ({ title, body, tag, shown, closed }))`,
  );
const setInView = (page: Page, inView: boolean) => page.evaluate(`window.look(${inView})`);

test('a person who turned notices on gets one for a draft while the page is hidden, and a click opens it', async ({
  console: page,
  thalamus,
}) => {
  await setInView(page, false);
  await createMailDraft(thalamus, { subject: 'Not wished' });
  await page.waitForTimeout(2_500); // a notice comes within two seconds
  expect(await listNotices(page)).toEqual([]);

  await setInView(page, true);
  await page.getByRole('button', { name: 'Enable notifications' }).click();
  await expect(page.getByRole('button', { name: 'Disable notifications' })).toBeVisible();
  await createMailDraft(thalamus, { subject: 'While I look' });
  await page.waitForTimeout(2_500); // a notice comes within two seconds
  expect(await listNotices(page)).toEqual([]);

  await setInView(page, false);
  const draftId = await createMailDraft(thalamus, { subject: 'While I am away' });
  await expect
    .poll(() => listNotices(page))
    .toEqual([
      {
        title: 'A draft waits for your approval',
        body: 'While I am away\nClaude',
        tag: draftId,
        shown: true,
        closed: false,
      },
    ]);
  await page.evaluate(`window.notices.at(-1).notice.dispatchEvent(new Event('click'))`);
  await expect(page).toHaveURL(`${thalamus.url}/inbox/${draftId}`);
  await expect(page.getByRole('heading', { name: 'While I am away', level: 3 })).toBeVisible();
  expect((await listNotices(page))[0]).toMatchObject({ closed: true });
});

test('a batch is one notice, which closes when the last draft was decided elsewhere', async ({
  console: page,
  thalamus,
}) => {
  await page.getByRole('button', { name: 'Enable notifications' }).click();
  await setInView(page, false);
  const batch = crypto.randomUUID();
  const key = await createAgentKey(thalamus);
  const ids = await Promise.all(
    Array.from({ length: 12 }, async (_, nth) => {
      const input = { to: ['ana@example.com'], subject: `Batch ${nth}`, body: 'Hello.' };
      const request = {
        source: 'gmail',
        account: 'jonas@example.com',
        action_name: 'send_email',
        input,
        batch_id: batch,
      };
      return String((await thalamus.call(key, 'act_on_integration', request))['draft_id']);
    }),
  );
  await expect.poll(async () => (await listNotices(page)).at(-1)?.title).toBe('12 drafts wait for your approval');
  expect(new Set((await listNotices(page)).map(({ tag }) => tag))).toEqual(new Set([batch]));
  await thalamus.call(thalamus.ownerKey, 'discard_actions', { draft_ids: ids.slice(1) });
  await page.waitForTimeout(1_500); // it would be closed by then
  expect((await listNotices(page)).at(-1)).toMatchObject({ closed: false });
  await thalamus.call(thalamus.ownerKey, 'discard_action', { draft_id: ids[0] });
  await expect.poll(async () => (await listNotices(page)).at(-1)?.closed).toBe(true);
});

test('a visible tab silences the others, and reading ends the notice', async ({ console: page, context, thalamus }) => {
  await page.getByRole('button', { name: 'Enable notifications' }).click();
  const other = await context.newPage();
  await other.addInitScript(watching);
  await other.goto(`${thalamus.url}/inbox`);
  await expect(other.getByText('Live', { exact: true })).toBeVisible();
  await setInView(page, false);
  await createMailDraft(thalamus, { subject: 'Seen in the other tab' });
  await page.waitForTimeout(2_500); // a notice comes within two seconds
  expect(await listNotices(page)).toEqual([]);
  await setInView(other, false);
  await createMailDraft(thalamus, { subject: 'Seen in none' });
  await expect.poll(async () => (await listNotices(page)).at(-1)?.shown).toBe(true);
  await setInView(page, true);
  await expect.poll(async () => (await listNotices(page)).at(-1)?.closed).toBe(true);
  await page.getByRole('button', { name: 'Disable notifications' }).click();
  await expect(page.getByRole('button', { name: 'Enable notifications' })).toBeVisible();
  await other.close();
});
