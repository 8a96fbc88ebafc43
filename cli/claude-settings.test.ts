import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { addToSettings } from './claude-settings.ts';

const command = '/opt/node /opt/thalamus/bin/thalamus.mjs hook session-start';
const entry = { hooks: [{ type: 'command', command, timeout: 10 }] };

let file: string;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thalamus-settings-'));
  file = join(folder, 'settings.json');
  return () => rm(folder, { recursive: true });
});

const read = async () => JSON.parse(await readFile(file, 'utf8')) as unknown;

test('a missing settings file is created with its folder, readable by its owner only', async () => {
  file = join(folder, 'new', 'settings.json');
  expect(addToSettings(file, command)).toEqual({ isAdded: true, others: [] });
  expect(await read()).toEqual({ hooks: { SessionStart: [entry] } });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('existing settings stay, and adding the hook twice has the effect of adding it once', async () => {
  const atStart = [{ hooks: [{ type: 'command', command: 'date' }] }, 'of another form'];
  const before = {
    model: 'opus',
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [] }], SessionStart: atStart },
    permissions: { allow: ['Bash(ls:*)'] },
  };
  await writeFile(file, JSON.stringify(before, null, 4), { mode: 0o640 });
  addToSettings(file, command);
  expect(await read()).toEqual({ ...before, hooks: { ...before.hooks, SessionStart: [...atStart, entry] } });
  const once = await readFile(file, 'utf8');
  expect(once).toContain('\n    "model"');
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(addToSettings(file, command)).toEqual({ isAdded: false, others: [] });
  expect(await readFile(file, 'utf8')).toBe(once);
});

test('a hook command without a path is reported and left for the person to fix', async () => {
  const bare = { hooks: [{ type: 'command', command: 'npx thalamus hook session-start' }] };
  await writeFile(file, JSON.stringify({ hooks: { SessionStart: [bare] } }));
  expect(addToSettings(file, command)).toEqual({ isAdded: true, others: ['npx thalamus hook session-start'] });
  expect(await read()).toEqual({ hooks: { SessionStart: [bare, entry] } });
});

test.each([
  ['{ "model": "opus", }', 'it is not JSON ('],
  ['["hooks"]', 'it is not a JSON object'],
  ['{ "hooks": [] }', '"hooks" is not an object'],
  ['{ "hooks": { "SessionStart": {} } }', '"hooks.SessionStart" is not a list'],
])('settings that cannot be extended stay as they are: %s', async (text, why) => {
  await writeFile(file, text);
  expect(() => addToSettings(file, command)).toThrow(`${file} was not changed: ${why}`);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a symbolic link stays a symbolic link', async () => {
  const target = join(folder, 'dotfile.json');
  await writeFile(target, '{}');
  await symlink(target, file);
  addToSettings(file, command);
  expect((await lstat(file)).isSymbolicLink()).toBe(true);
  expect(JSON.parse(await readFile(target, 'utf8'))).toEqual({ hooks: { SessionStart: [entry] } });
});
