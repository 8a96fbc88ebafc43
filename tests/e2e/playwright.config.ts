import { defineConfig } from '@playwright/test';
import { isDeep } from '../support/depth.ts';
import { browserOptions } from './browser.ts';

/** Journeys of a person through the console, against the real server and emulators on real ports. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  testIgnore: isDeep ? [] : ['*.deep.spec.ts'],
  globalSetup: './global-setup.ts',
  outputDir: '../../.tmp/e2e',
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    trace: 'on-first-retry',
    launchOptions: browserOptions,
  },
});
