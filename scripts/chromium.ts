/** Finds a Chromium for the browser journeys; run as a script, it installs the system's packages when there is none. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const whole = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
/** Without a window: starts and draws in less than half the time, and has no notifications. */
const headless = ['chromium-headless-shell', 'headless_shell'];
const macBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a whole Chromium that can be started: `THALAMUS_CHROMIUM`, or one on the PATH. */
export function findChromium(): string | undefined {
  return findChosenChromium() ?? [...onPath(whole), ...macBrowsers].find(isExecutable);
}

/** The path of the one that starts fastest: the headless shell where there is one. */
export function findFastChromium(): string | undefined {
  return findChosenChromium() ?? onPath(headless).find(isExecutable) ?? findChromium();
}

function findChosenChromium(): string | undefined {
  const path = process.env.THALAMUS_CHROMIUM;
  return path && isExecutable(path) ? path : undefined;
}

function onPath(names: readonly string[]): string[] {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/snap/bin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian's packages; Ubuntu's are empty shells around a snap, so there the search after it finds nothing. */
function installChromium(): void {
  console.log('No Chromium found; installing the system packages (apt-get install chromium chromium-headless-shell).');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  aptGet('update', '-qq');
  const install = ['install', '-y', '-qq', '--no-install-recommends'];
  aptGet(...install, 'chromium', 'fonts-liberation');
  aptGet(...install, 'chromium-headless-shell');
}

function ensureChromium(): string | undefined {
  const isReady = findChromium() && onPath(headless).some(isExecutable);
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && !process.env.THALAMUS_CHROMIUM;
  if (!isReady && mayInstall) installChromium();
  return findChromium();
}

if (import.meta.main) {
  const chromium = ensureChromium();
  if (chromium) console.log(`Chromium: ${chromium}, and for most journeys ${findFastChromium()}`);
  else {
    console.error(
      'No Chromium for the browser journeys. Install Chromium or Chrome, or set THALAMUS_CHROMIUM to its path.',
    );
    process.exitCode = 1;
  }
}
