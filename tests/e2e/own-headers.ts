import type { Page } from '@playwright/test';

/** What a page of the console sends with its calls, for a test that calls beside it. */
export async function readConsoleHeaders(page: Page): Promise<Record<string, string>> {
  const proof = await page.evaluate<string>("localStorage.getItem('thalamus_session_proof') ?? ''");
  return { origin: new URL(page.url()).origin, 'thalamus-session-proof': proof };
}
