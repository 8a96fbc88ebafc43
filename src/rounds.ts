// Regular work in every workspace: what modules do once a minute, and what they remove once an hour.
import type { Round } from '#kernel/module';
import { listWorkspaceIds } from '#modules/accounts';
import type { Ground } from '#platform';
import { asSystem, databaseTime } from '#platform/database';

const hourly = '17 * * * *';
const everyMinute = '* * * * *';

/**
 * Has the rounds of all modules made once a minute, each by itself, and has what nobody needs any more removed once an hour (memories,
 * pages and ledgers never are). A workspace in which something fails is told to the log, and the others go on.
 */
export function defineRounds({ db, jobs, transactions, modules, log }: Ground, eachMinute: readonly Round[]): void {
  for (const round of eachMinute) jobs.schedule(round.name, everyMinute, () => inEach(round));
  jobs.schedule('tidy', hourly, async () => {
    for (const { name, tidy } of modules) {
      const run = (id: string) =>
        transactions.run(id, 'write', async (bound) => tidy?.(bound, await databaseTime(bound)));
      if (tidy) await inEach({ name: `${name}.tidy`, run });
    }
  });

  async function inEach({ name, run }: Round): Promise<void> {
    for (const workspaceId of await asSystem(db, listWorkspaceIds))
      await run(workspaceId).catch((err: unknown) =>
        log.warn({ err, workspace_id: workspaceId, round: name }, 'regular work failed in a workspace'),
      );
  }
}
