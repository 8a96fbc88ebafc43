/** Finds a Chromium for the browser journeys; run as a script, it installs the system's package when there is none. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const macBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium that can be started: `THALAMUS_CHROMIUM`, or one on the PATH. */
export function findChromium(): string | undefined {
  const chosen = process.env.THALAMUS_CHROMIUM;
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/snap/bin'];
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...macBrowsers].find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian's package; Ubuntu's is an empty shell around a snap, so there the search after it finds nothing. */
function installChromium(): void {
  console.log('No Chromium found; installing the system package (apt-get install chromium).');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  aptGet('update', '-qq');
  aptGet('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation');
}

function ensureChromium(): string | undefined {
  const found = findChromium();
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && !process.env.THALAMUS_CHROMIUM;
  if (found || !mayInstall) return found;
  installChromium();
  return findChromium();
}

if (import.meta.main) {
  const chromium = ensureChromium();
  if (chromium) console.log(`Chromium: ${chromium}`);
  else {
    console.error(
      'No Chromium for the browser journeys. Install Chromium or Chrome, or set THALAMUS_CHROMIUM to its path.',
    );
    process.exitCode = 1;
  }
}
