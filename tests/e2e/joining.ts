import { expect, type Browser, type Page } from '@playwright/test';
import type { Thalamus } from './thalamus.ts';
import { readConsoleHeaders } from './own-headers.ts';

/** Somebody else of the workspace in a browser of their own: invited on the console, where a person has signed in. */
export async function joinInBrowser(page: Page, browser: Browser, thalamus: Thalamus, email: string): Promise<Page> {
  const { brain_id } = await thalamus.call(thalamus.ownerKey, 'create_brain', { name: `With ${email}` });
  const response = await page.request.post(`${thalamus.url}/v1/tools/invite_member`, {
    headers: await readConsoleHeaders(page),
    data: { brain_id, email, access_level: 'viewer' },
  });
  const invited = (await response.json()) as { join_link: { url: string } }; // as a signed-in person is answered
  const other = await (await browser.newContext()).newPage();
  await other.goto(invited.join_link.url);
  await other.getByRole('button', { name: 'Join with a new account' }).click();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
  return other;
}
