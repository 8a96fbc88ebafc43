import { LLMock } from '@copilotkit/aimock';
import type { Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';

test('without a model the page says how to set one, and that nothing needs it', async ({ console: page }) => {
  await page.goto('/usage');
  await expect(page.getByRole('heading', { name: 'No language model' })).toBeVisible();
  await expect(page.getByLabel('settings', { exact: true })).toContainText('THALAMUS_LLM_PROVIDER');
  await expect(page.getByText('Optional. Add a model')).toBeVisible();
  await expect(page.getByRole('main').getByText('0', { exact: true })).toHaveCount(0);
});

test.describe('with a model', () => {
  const model = new LLMock({ port: 0 });
  let thalamus: Thalamus;

  test.beforeAll(async () => {
    model.onMessage(/the word ready/, { content: 'ready', usage: { input_tokens: 40_000, output_tokens: 1_000 } });
    await model.start();
    thalamus = await startThalamus({
      THALAMUS_LLM_PROVIDER: 'anthropic',
      THALAMUS_LLM_BASE_URL: `${model.url}/v1`,
      THALAMUS_LLM_API_KEY: 'llm-secret-key-0123456789',
    });
  });
  test.afterAll(async () => {
    await thalamus.close();
    await model.stop();
  });

  async function signIn(page: Page): Promise<void> {
    const { url } = await thalamus.call(thalamus.ownerKey, 'create_sign_in_link');
    await page.goto(String(url));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${thalamus.url}/`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good/); // before that it hears no key
  }

  test('one press tests it, and the cost of the test appears by day, purpose and model', async ({ page }) => {
    await signIn(page);
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Usage');
    await expect(page.getByText('claude-sonnet-5-5')).toBeVisible();
    await page.getByRole('button', { name: 'Test claude-sonnet-5-5' }).click();
    await expect(page.getByText('It answers: “ready”')).toBeVisible();
    // 40,000 tokens at $2 and 1,000 at $10 a million
    await expect(page.getByRole('definition').filter({ hasText: '$0.09' })).toBeVisible();
    await expect(page.getByRole('img', { name: /^30 days: \$0\.09 in total/ })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Cost by purpose' })).toContainText('Model tests');
    await expect(page.getByText('$0.09 today of $20.00')).toBeVisible();
    await expect(page.getByText('$0.09 today of $100.00')).toBeVisible();
    await page.getByRole('button', { name: 'Tokens', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Tokens by model' })).toContainText('41K');
    await page.getByRole('button', { name: '90 days' }).click();
    await expect(page).toHaveURL(/period=90/);
    await expect(page.getByRole('img', { name: /^90 days: 40000 input tokens/ })).toBeVisible();
    expect(await listAxeProblems(page)).toEqual([]);
    expect(await page.content()).not.toContain('llm-secret-key');
  });

  test('that refuses the key says what to do', async ({ page }) => {
    await signIn(page);
    await page.goto(`${thalamus.url}/usage`);
    model.nextRequestError(401, { message: 'invalid x-api-key', type: 'authentication_error' });
    await page.getByRole('button', { name: 'Test claude-sonnet-5-5' }).click();
    await expect(page.getByRole('alert')).toContainText('THALAMUS_LLM_API_KEY');
    await expect(page.getByText('No answer: bad key')).toBeVisible();
    expect(await listAxeProblems(page)).toEqual([]);
  });
});
