import { expect, type Page } from '@playwright/test';
import type { Thalamus } from './thalamus.ts';

/** The mailbox that journeys send from. */
export const account = 'jonas@example.com';

/** Drafts a mail as an agent does; answers the draft's id. */
export async function createMailDraft(
  thalamus: Thalamus,
  mail: { subject: string; body?: string; to?: string[] },
  batch_id?: string,
  more: object = {},
): Promise<string> {
  const key = await createAgentKey(thalamus);
  const { draft_id } = await thalamus.call(key, 'act_on_integration', {
    source: 'gmail',
    account,
    action_name: 'send_email',
    input: { to: ['ana@example.com'], body: 'Hello.', ...mail },
    ...(batch_id && { batch_id }),
    ...more,
  });
  return String(draft_id);
}

/** A key of an agent, which may draft and not decide. */
export async function createAgentKey(thalamus: Thalamus): Promise<string> {
  const { key } = await thalamus.call(thalamus.ownerKey, 'create_key', { label: 'Claude' });
  return String(key);
}

/** Links the mailbox as a person does; the second time it is there already. */
export async function linkGmail(page: Page, thalamus: Thalamus): Promise<void> {
  const { integrations } = await thalamus.call(thalamus.ownerKey, 'list_integrations');
  const isLinked = JSON.stringify(integrations).includes(account);
  if (isLinked) return;
  thalamus.google.addAccount({ email: account, name: 'Jonas' });
  await page.goto(`${thalamus.url}/integrations/gmail`);
  await page.getByRole('button', { name: /Connect/ }).click();
  await page.getByLabel(new RegExp(account)).check();
  await page.locator('#allow').click();
  await expect(page.getByText(account).first()).toBeVisible(); // the account and its sync name it
}

/** Journeys share a server: what one leaves waiting is not for the next to find. */
export async function declineAll(thalamus: Thalamus): Promise<void> {
  for (;;) {
    const { drafts } = await thalamus.call(thalamus.ownerKey, 'list_pending_actions', { limit: 100 });
    const draft_ids = (drafts as { draft_id: string }[]).map(({ draft_id }) => draft_id); // as the operation answers
    if (!draft_ids.length) return;
    await thalamus.call(thalamus.ownerKey, 'discard_actions', { draft_ids });
  }
}
