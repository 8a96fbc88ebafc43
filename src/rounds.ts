// Regular work: modules work once a minute where there is work, and clean up every workspace once an hour.
import type { Round } from '#kernel/module';
import { listWorkspaceIds } from '#modules/accounts';
import type { Ground } from '#platform';
import { runAsSystem, readDatabaseTime } from '#platform/database';

const hourly = '17 * * * *';
const everyMinute = '* * * * *';

/**
 * Starts the rounds of all modules: each runs once a minute, independently of the others, and clean-up runs once an
 * hour (memories, pages and ledgers are never removed). A round visits only workspaces that have work, so idle
 * workspaces cost nothing. An error in one workspace is logged, and the round continues with the others.
 */
export function defineRounds({ db, jobs, transactions, modules, log }: Ground, eachMinute: readonly Round[]): void {
  for (const round of eachMinute) jobs.schedule(round.name, everyMinute, () => inEach(round));
  jobs.schedule('tidy', hourly, async () => {
    for (const { name, tidy } of modules) {
      const run = (id: string) =>
        transactions.run(id, 'write', async (bound) => tidy?.(bound, await readDatabaseTime(bound)));
      if (tidy) await inEach({ name: `${name}.tidy`, findWorkspaces: listWorkspaceIds, run });
    }
  });

  async function inEach({ name, findWorkspaces, run }: Round): Promise<void> {
    for (const workspaceId of await runAsSystem(db, findWorkspaces))
      await run(workspaceId).catch((err: unknown) =>
        log.warn({ err, workspace_id: workspaceId, round: name }, 'regular work failed in a workspace'),
      );
  }
}
