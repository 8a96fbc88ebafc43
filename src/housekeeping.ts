import { dropEndedLinks, dropExpiredAnswers, listWorkspaceIds } from '#modules/accounts';
import { expireOverdue } from '#modules/actions';
import { dropEventsBefore } from '#modules/audit';
import { dropExpiredSignInConsents, dropExpiredStates } from '#modules/connections';
import { gatherStale, tendMemories } from '#modules/memory';
import { dropMailsOfSettled } from '#modules/notifications';
import { dropUnusedContents } from '#modules/pages';
import { tidyTelegram } from '#modules/telegram';
import { dropEndedVariableLinks } from '#modules/variables';
import { newId, now } from '#platform/clock';
import { asSystem } from '#platform/database';
import type { Platform } from './platform.ts';

const hourly = '17 * * * *';
const everyMinute = '* * * * *';
/** Bytes of attachments that nobody refers to: long enough for whoever comes with the same just now. */
const unusedKeptMs = 60 * 60 * 1000;
/** Who was told of a draft by mail, from when it was settled on. */
const toldKeptMs = 7 * 24 * 60 * 60 * 1000;
const eventsKeptMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Has what nobody needs any more removed once an hour, workspace by workspace (memories, pages and ledgers are never),
 * constellations gathered where memories changed, and drafts ended that nobody decided in time. A workspace in which that fails is
 * told of, and the others go on.
 */
export function defineHousekeeping({ db, jobs, transactions, log }: Platform): void {
  jobs.schedule('housekeeping', hourly, () =>
    inEach('a workspace could not be tidied up', (workspaceId) =>
      transactions.run(workspaceId, 'write', async (bound) => {
        const at = now();
        await dropExpiredAnswers(bound, at);
        await dropEndedLinks(bound, at);
        await dropExpiredStates(bound, at);
        await dropExpiredSignInConsents(bound, at);
        await dropEndedVariableLinks(bound, at);
        await tidyTelegram(bound, at);
        await tendMemories(bound, at);
        await dropUnusedContents(bound, new Date(at.getTime() - unusedKeptMs));
        await dropMailsOfSettled(bound, new Date(at.getTime() - toldKeptMs));
        await dropEventsBefore(bound, new Date(at.getTime() - eventsKeptMs));
      }),
    ),
  );
  jobs.schedule('constellations', everyMinute, () =>
    inEach('the constellations of a workspace could not be gathered', (workspaceId) =>
      gatherStale({ transactions, now, newId }, workspaceId),
    ),
  );
  jobs.schedule('expired-drafts', everyMinute, () =>
    inEach('the overdue drafts of a workspace could not be ended', (workspaceId) =>
      transactions.run(workspaceId, 'write', (bound) => expireOverdue(bound, now(), newId)),
    ),
  );

  async function inEach(failure: string, work: (workspaceId: string) => Promise<unknown>): Promise<void> {
    for (const workspaceId of await asSystem(db, listWorkspaceIds))
      await work(workspaceId).catch((err: unknown) => log.warn({ err, workspace_id: workspaceId }, failure));
  }
}
