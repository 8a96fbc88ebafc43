// Adds one command for the start of a session to the settings file of Claude Code, and keeps everything else.
import { readFileSync, realpathSync, renameSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './failure.ts';

/** The settings of Claude Code that apply to all projects of a person. */
export function getClaudeSettingsFile(): string {
  return join(process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude'), 'settings.json');
}

/** `timeout`: the command is ended after this many seconds, and the session continues. */
type Entry = { hooks: { type: 'command'; command: string; timeout: number }[] };

/** The settings of a command at the start of a session. */
export function startEntry(command: string): { hooks: { SessionStart: Entry[] } } {
  return { hooks: { SessionStart: [{ hooks: [{ type: 'command', command, timeout: 10 }] }] } };
}

/**
 * Adds the command to the file, which may be missing. Returns whether it was added, and which other commands of ours
 * run there. Throws a usage error, and changes nothing, when the file does not contain settings.
 */
export function addToSettings(file: string, command: string): { isAdded: boolean; others: string[] } {
  const text = readIfThere(file);
  const settings = text === null ? {} : parseSettings(file, text);
  const hooks = settings['hooks'] ?? {};
  if (!isObject(hooks)) throw createUnfitError(file, '"hooks" is not an object');
  const atStart = hooks['SessionStart'] ?? [];
  if (!Array.isArray(atStart)) throw createUnfitError(file, '"hooks.SessionStart" is not a list');
  const commands = atStart.flatMap(listCommands);
  const others = commands.filter((each) => each !== command && /thalamus.* hook session-start\b/.test(each));
  if (commands.includes(command)) return { isAdded: false, others };
  const [entry] = startEntry(command).hooks.SessionStart;
  const merged = { ...settings, hooks: { ...hooks, SessionStart: [...atStart, entry] } };
  replace(file, `${JSON.stringify(merged, null, findIndent(text ?? ''))}\n`);
  return { isAdded: true, others };
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function parseSettings(file: string, text: string): Record<string, unknown> {
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch (error) {
    throw createUnfitError(file, `it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (!isObject(settings)) throw createUnfitError(file, 'it is not a JSON object');
  return settings;
}

function createUnfitError(file: string, why: string): UsageError {
  return new UsageError(
    `${file} was not changed: ${why}. Fix it and run this again, or add by hand what \`thalamus hook install\` prints.`,
  );
}

/** An entry of another form belongs to another program, and stays. */
function listCommands(entry: unknown): string[] {
  const hooks = isObject(entry) && Array.isArray(entry['hooks']) ? entry['hooks'] : [];
  return hooks.flatMap((hook) => (isObject(hook) && typeof hook['command'] === 'string' ? [hook['command']] : []));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The file's current formatting. */
function findIndent(text: string): string {
  return /^\s*\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}

/** Written in one step, so that no reader sees an incomplete file; if the file is a link, its target is replaced. */
function replace(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const isThere = readIfThere(file) !== null;
  const target = isThere ? realpathSync(file) : file;
  const mode = isThere ? statSync(target).mode & 0o777 : 0o600;
  const beside = `${target}.${process.pid}.new`;
  writeFileSync(beside, text, { mode });
  renameSync(beside, target);
}
