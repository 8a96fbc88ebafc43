import type { LaunchOptions } from '@playwright/test';
import { findChromium, findFastChromium } from '../../scripts/chromium.ts';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser of the system that starts fastest, as it runs without a screen and as root. */
export const browserOptions: LaunchOptions = launch(findFastChromium());

/** The whole browser, for what the fast one lacks: notifications. */
export const wholeBrowserOptions: LaunchOptions = launch(findChromium());

function launch(executablePath: string | undefined): LaunchOptions {
  return { ...(executablePath && { executablePath }), args };
}
