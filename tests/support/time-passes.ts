// Lets time pass for a server under test, in its database instead of on the clock.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const ourJobs = `name not like '\\_\\_pgboss%'`;
/** The channel on which pg-boss wakes the workers of a queue; `jobs` is its schema. */
const wakeAll = `select pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), name)
  from jobs.queue where ${ourJobs}`;
/** A busy machine is not a failure. */
const doneWithinMs = 30_000;

/** After a process was killed: its leases end now, and its jobs are to be done again. `seconds` is how long ago it was then. */
export async function endLeases(connectionString: string, seconds = 60): Promise<void> {
  const ago = `interval '${seconds} seconds'`;
  await withClient(connectionString, async (client) => {
    await client.query(`update drafts set lease_until = lease_until - ${ago}, send_started_at = send_started_at - ${ago},
      ask_at = ask_at - ${ago} where status in ('confirming', 'ambiguous') or lease_until is not null`);
    for (const table of [
      'telegram_bots',
      'syncs',
      'connections',
      'automation_runs',
      'dataset_recipes',
      'recipe_installs',
    ])
      await client.query(`update ${table} set lease_until = lease_until - ${ago} where lease_until is not null`);
    await client.query(`update jobs.job set state = 'retry' where state = 'active' and ${ourJobs}`);
    await client.query(`update jobs.job set start_after = least(start_after, now()) - ${ago}
      where state in ('created', 'retry') and ${ourJobs}`);
    await client.query(wakeAll);
  });
}

/** Sends with an unknown outcome become older by this time, and waiting mails, jobs and pauses of bots become due sooner. */
export async function passTime(connectionString: string, seconds: number): Promise<void> {
  const ago = `interval '${seconds} seconds'`;
  await withClient(connectionString, async (client) => {
    await client.query(`update drafts set send_started_at = send_started_at - ${ago}, ask_at = ask_at - ${ago}
      where status = 'ambiguous'`);
    await client.query(`update draft_mails set created_at = created_at - ${ago}, due_at = due_at - ${ago}
      where claimed_at is null`);
    await client.query(`update deadline_mails set due_at = due_at - ${ago} where claimed_at is null`);
    await client.query(`update jobs.job set start_after = start_after - ${ago}
      where state in ('created', 'retry') and ${ourJobs}`);
    await client.query(`update telegram_bots set next_at = next_at - ${ago} where next_at > now()`);
    await client.query(wakeAll);
  });
}

/** Passes the time once all that is due was done, and resolves when every job that is due by then was done. */
export async function passTimeAndWait(connectionString: string, seconds: number): Promise<void> {
  await waitForDueJobs(connectionString);
  await passTime(connectionString, seconds);
  await waitForDueJobs(connectionString);
}

/** Resolves when every job that is due was done. */
export async function waitForDueJobs(connectionString: string): Promise<void> {
  await withClient(connectionString, waitUntilDone);
}

async function waitUntilDone(client: Client): Promise<void> {
  const giveUpAt = Date.now() + doneWithinMs;
  for (;;) {
    const { rows } = await client.query(`select name from jobs.job
      where (state = 'active' or (state in ('created', 'retry') and start_after <= now())) and ${ourJobs}`);
    if (!rows.length) return;
    if (Date.now() > giveUpAt) throw new Error(`these jobs are never done: ${JSON.stringify(rows)}`);
    await sleep(20);
  }
}

async function withClient(connectionString: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
