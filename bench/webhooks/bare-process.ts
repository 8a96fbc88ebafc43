// Starts what is written by hand, on the database of the product.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runSql } from '../postgres.ts';

/** What the bare loop does. */
export type Loop = { to: string; count: number; lanes: number; payload: string };
export type Bare = { url: string; deliver(loop: Loop): Promise<number>; stop(): Promise<void> };

export async function startBare(databaseUrl: string, secret: string): Promise<Bare> {
  await runSql(
    databaseUrl,
    `create table bare_events (id uuid primary key, delivery_id text unique, headers jsonb not null, body bytea not null,
       received_at timestamptz not null);
     create table bare_attempts (id uuid primary key, status integer not null, at timestamptz not null);
     grant insert, select on bare_events, bare_attempts to thalamus_app`,
  );
  const script = join(import.meta.dirname, 'bare.ts');
  const child = spawn(process.execPath, [script, databaseUrl, secret], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  return {
    url,
    async deliver(loop) {
      const done = once(child, 'message');
      child.send(loop);
      return ((await done) as [number])[0];
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
