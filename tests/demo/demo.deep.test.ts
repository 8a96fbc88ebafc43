import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signInWith } from '../support/google.ts';
import { reachServer } from '../support/server.ts';
import { findFreePort } from '../support/free-port.ts';

test(
  'the demo starts with synced accounts and pending drafts, sends an approved draft, and leaves nothing behind',
  { timeout: 180_000 },
  async () => {
    const port = await findFreePort();
    const folder = mkdtempSync(join(tmpdir(), 'thalamus-tries-'));
    chmodSync(folder, 0o711); // the account that runs PostgreSQL passes through
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: { ...process.env, PORT: String(port), TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true, // a group of its own, as a terminal's
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    onTestFinished(async () => {
      child.kill('SIGTERM'); // by which it ends what it has started
      await exited;
      rmSync(folder, { recursive: true });
    });
    let said = '';
    const isReady = new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk: Buffer) => {
        said += String(chunk);
        if (said.includes('All of this is a demo')) resolve();
      }),
    );
    await Promise.race([isReady, exited.then(() => Promise.reject(new Error(`the demo ended: ${said}`)))]);

    const link = /http\S+#tl_[\w-]+/.exec(said)?.[0] ?? '';
    const person = await signInWith(reachServer(`http://localhost:${port}`, ''), link);
    const { drafts } = (await person.ok('list_pending_actions')) as { drafts: { draft_id: string }[] };
    expect(drafts).toHaveLength(4);
    for (const { draft_id } of drafts)
      expect(await person.ok('confirm_action', { draft_id })).toMatchObject({ status: 'confirmed' });
    await expect
      .poll(async () => (await person.ok('search', { q: 'the carry is lost' }))['pages'])
      .toContainEqual(expect.objectContaining({ title: expect.stringContaining('The carry is lost') }));
    process.kill(-(child.pid ?? 0), 'SIGINT'); // Ctrl+C
    expect(await exited).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  },
);
