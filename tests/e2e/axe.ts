import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Colours are measured, so what fades in has to have arrived. */
async function waitForAnimations(page: Page): Promise<void> {
  const ending =
    'document.getAnimations().filter((each) => each.effect.getTiming().iterations === 1).map((each) => each.finished)';
  await page.evaluate(`Promise.allSettled(${ending})`);
}

/**
 * What axe finds wrong with a page, one line each; with `only`, of one of its rules. What is found is looked at once more: a colour may
 * have begun to change while it was measured.
 */
export async function listAxeProblems(page: Page, only?: string): Promise<string[]> {
  const first = await runAxe(page, only);
  return first.length ? runAxe(page, only) : first;
}

async function runAxe(page: Page, only: string | undefined): Promise<string[]> {
  await waitForAnimations(page);
  // The legacy mode checks only the page, without a second page to join frames: no page here has foreign frames.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
  const { violations } = await (only ? axe.withRules([only]) : axe.withTags(rules)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
