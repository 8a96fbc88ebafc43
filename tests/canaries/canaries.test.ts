import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectByDepth } from '../support/depth.ts';
import { listCredentials } from '../support/list-credentials.ts';
import { openCanaryStage, type CanaryRun } from './stage.ts';
import { stories } from './stories/index.ts';

const vaults = [
  ['its own vault', false],
  ['a vault outside', true],
] as const;

describe.each(selectByDepth(vaults, vaults.slice(0, 1)))('with %s', (_name, isVaultOutside) => {
  let run: CanaryRun;

  beforeAll(async () => {
    run = await openCanaryStage({ isVaultOutside });
    run.stage.found('the owner’s key', run.stage.server.key, true);
  });
  afterAll(() => run.close());

  // Telegram is left alone for longer each time it refuses.
  test.for(stories)('runs the story of %s', { timeout: 60_000 }, async ([, emitEvent]) => {
    await emitEvent(run.stage);
  });

  test('shows no secret of any story in an answer, a page, an event, the log, the record or a table', async () => {
    const { google, found } = run.stage;
    for (const entry of google.ledger.ever())
      for (const value of listCredentials(entry)) found(`what ${entry.path} of Google saw`, value);
    const { secrets, said } = run.extent();
    expect(secrets).toBeGreaterThan(30);
    expect(said).toBeGreaterThan(100);
    expect(await run.leaks()).toEqual([]);
  });

  test('finds a secret that is visible', async () => {
    const { found, call } = run.stage;
    for (const [form, value] of [
      ['plain', 'a canary that sings 0815'],
      ['base64', 'a canary in base sixty-four'],
      ['hex', 'a canary in digits'],
    ] as const) {
      found(`a test’s ${form}`, value);
      const content = {
        plain: value,
        base64: Buffer.from(`x${value}y`).toString('base64'),
        hex: Buffer.from(value).toString('hex'),
      }[form];
      await call('add_memory', { content });
      expect((await run.leaks()).join('\n')).toMatch(new RegExp(`a test’s ${form} in (a table|the answer)`));
    }
  });
});
