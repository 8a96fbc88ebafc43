import { createSandbox } from '#platform/sandbox';
import { expect, test } from 'vitest';
import { checkSandbox, runCheck } from './doctor.ts';

const checked = (options: { findDeno?: () => string }) =>
  runCheck({ name: 'sandbox', run: () => checkSandbox(createSandbox(options)) });

test('doctor says whether the sandbox can run here, and why it cannot', async () => {
  expect(await checked({})).toEqual({ name: 'sandbox', ok: true, message: 'Deno runs automations' });
  const without = await checked({ findDeno: () => '/nonexistent/deno' });
  expect(without).toMatchObject({ ok: false, message: expect.stringContaining('automations cannot run') });
});
