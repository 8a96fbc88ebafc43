import { defineConfig } from 'vitest/config';
import { depth, isDeep } from './tests/support/depth.ts';

const besideTheCode = [
  'src/**/*.test.ts',
  'cli/**/*.test.ts',
  'sdk/**/*.test.ts',
  'console/src/**/*.test.ts',
  'scripts/**/*.test.ts',
];
/** What starts processes, or waits for time-outs: `npm run check` leaves it to `npm test`. */
const notInCheck = [
  'cli/commands/**',
  'src/platform/database/embedded/**',
  'src/modules/meaning/**',
  'src/modules/telegram/**',
  'src/modules/actions/deciding/answer.test.ts',
  'src/modules/actions/ledger/seals.test.ts',
  'src/modules/integrations/files/large-files.test.ts',
  'scripts/check-commits.test.ts',
];

export default defineConfig({
  test: {
    include: depth === 'check' ? besideTheCode : [...besideTheCode, 'emulators/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: [
      'tests/e2e/**',
      'node_modules/**',
      ...(isDeep ? [] : ['**/*.deep.test.ts']),
      ...(depth === 'check' ? notInCheck : []),
    ],
    globalSetup: ['tests/support/global-setup.ts'],
    isolate: false,
    // Most of a test is waiting for a server or a provider, so more run at once than there are processors.
    maxWorkers: 4,
    // A busy machine may be slow without a failure.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: isDeep ? 240_000 : 60_000,
    hookTimeout: 240_000,
  },
});
