import type { LaunchOptions } from '@playwright/test';

/** The browser of the system, as it runs without a screen and as root. */
export const browserOptions: LaunchOptions = {
  executablePath: process.env.THALAMUS_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
