import { defineConfig } from 'vitest/config';
import { isDeep } from './tests/support/depth.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'cli/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['tests/e2e/**', 'node_modules/**', ...(isDeep ? [] : ['**/*.deep.test.ts'])],
    globalSetup: ['tests/support/global-setup.ts'],
    isolate: false,
    maxWorkers: 2,
    // A busy machine is no failure: what comes at last has come.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
