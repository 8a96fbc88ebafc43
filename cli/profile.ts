import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { UsageError } from './failure.ts';
import type { Renewal } from './oauth.ts';

/** Which server the command line talks to, and with which key; `renewal`: the key is an access token, and how to get the next one. */
export type Profile = { url: string; key: string; renewal?: Renewal };

const file = join(envPaths('thalamus', { suffix: '' }).config, 'profile.json');
/** The address of `npm start` with the same settings. */
const defaultUrl = `http://localhost:${process.env['PORT'] ?? 4747}`;

/** The current profile: `THALAMUS_URL` and `THALAMUS_KEY`, else what `thalamus login` stored. */
export function readProfile(): Profile {
  const stored = readStored();
  const url = process.env['THALAMUS_URL'] ?? stored?.url ?? defaultUrl;
  const given = process.env['THALAMUS_KEY']?.trim();
  if (given === undefined && stored?.url === url) return stored;
  const key = given;
  if (!key) {
    throw new UsageError(
      `No key for ${url}. Run \`npx thalamus login\` once, or set THALAMUS_KEY (and THALAMUS_URL for another server).`,
    );
  }
  return { url, key };
}

/** Stores the profile, readable by its user only. Returns the file. */
export function writeProfile(profile: Profile): string {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return file;
}

/** Whether `thalamus login` stored a profile. */
export function hasStoredProfile(): boolean {
  return readStored() !== null;
}

export function getServerUrl(): string {
  return process.env['THALAMUS_URL'] ?? readStored()?.url ?? defaultUrl;
}

function readStored(): Profile | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Profile; // written only by `writeProfile`
  } catch {
    return null;
  }
}
