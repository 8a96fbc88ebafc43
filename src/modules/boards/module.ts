import type { Db } from '#kernel/database';
import { defineJob, defineModule, runAfterEvents } from '#kernel/module';
import { findPerson } from '#modules/accounts';
import { findConnection, integrationChanged } from '#modules/connections';
import { getMeteredLlm } from '#modules/usage';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { runAsSystem } from '#platform/database';
import { boardChanged } from './events.ts';
import {
  boardFormResource,
  boardLinkResource,
  boardResource,
  datasetRecipeResource,
  linkToEndResource,
} from './ids.ts';
import { getLinkReaders } from './links/link-readers.ts';
import { linkNoticeJob, sendLinkNotice, type LinkNotice } from './links/notify-account-owner.ts';
import { appendBoardRows } from './operations/append-board-rows.ts';
import { closeBoardForm } from './operations/close-board-form.ts';
import { createBoardForm } from './operations/create-board-form.ts';
import { createBoardLink } from './operations/create-board-link.ts';
import { createDatasetRecipe } from './operations/create-dataset-recipe.ts';
import { createBoard } from './operations/create-board.ts';
import { deleteBoardLink } from './operations/delete-board-link.ts';
import { deleteDatasetRecipe } from './operations/delete-dataset-recipe.ts';
import { deleteBoardRow } from './operations/delete-board-row.ts';
import { deleteBoard } from './operations/delete-board.ts';
import { getBoard } from './operations/get-board.ts';
import { listBoardLinksOperation } from './operations/list-board-links.ts';
import { listBoardForms } from './operations/list-board-forms.ts';
import { listBoards } from './operations/list-boards.ts';
import { queryBoardRows } from './operations/query-board-rows.ts';
import { refreshDatasetRecipe } from './operations/refresh-dataset-recipe.ts';
import { runBoardSkill } from './operations/run-board-skill.ts';
import { restoreBoardRow } from './operations/restore-board-row.ts';
import { testBoardLink } from './operations/test-board-link.ts';
import { updateBoardRow } from './operations/update-board-row.ts';
import { updateDatasetRecipe } from './operations/update-dataset-recipe.ts';
import { updateBoard } from './operations/update-board.ts';
import { portableBoards } from './portable.ts';
import { createRefreshWorker } from './refreshes/worker.ts';
import { getRestoreLimit } from './rows/delete-row.ts';
import { boardContents, boardRowContents } from './store/contents.ts';
import { closeFormsOfPerson } from './store/forms.ts';
import { wakeRecipes } from './store/recipes.ts';
import { endLinksOfPerson } from './store/links.ts';
import { removeRowsDeletedBefore } from './store/rows.ts';
import { purgeBoards } from './uninstall-boards.ts';

/** Tables in brains that people and automations fill. */
export const boardsModule = defineModule<Ground>({
  name: 'boards',
  resources: [boardResource, boardLinkResource, linkToEndResource, datasetRecipeResource, boardFormResource],
  events: [boardChanged],
  portable: portableBoards,
  contents: [boardContents, boardRowContents],
  async endPerson(db, personId, at) {
    await endLinksOfPerson(db, personId, at);
    await closeFormsOfPerson(db, personId, at);
  },
  async tidy(db, at) {
    await removeRowsDeletedBefore(db, getRestoreLimit(at));
    await purgeBoards(db, at);
  },
  operations: (ground) => {
    const {
      jobs,
      log,
      mail,
      transactions,
      config: { publicUrl },
    } = ground;
    const readers = getLinkReaders(ground);
    return [
      createBoard({ publicUrl }),
      getBoard,
      listBoards({ publicUrl }),
      queryBoardRows,
      runBoardSkill({ llm: getMeteredLlm(ground) }),
      appendBoardRows,
      updateBoard({ publicUrl }),
      updateBoardRow,
      deleteBoardRow,
      restoreBoardRow,
      deleteBoard,
      createBoardLink({ jobs, canMail: mail !== null, publicUrl }),
      listBoardLinksOperation,
      testBoardLink(readers),
      deleteBoardLink,
      createBoardForm({ publicUrl }),
      listBoardForms,
      closeBoardForm,
      createDatasetRecipe,
      updateDatasetRecipe,
      deleteDatasetRecipe,
      refreshDatasetRecipe({ readers, transactions, log, now }),
    ];
  },
  work(ground, calls) {
    const { db, log, mail, transactions, config } = ground;
    const { publicUrl } = config;
    const refreshing = {
      readers: getLinkReaders(ground),
      transactions,
      log,
      now,
      calls,
      readRole: async (bound: Db, personId: string) => (await findPerson(bound, personId))?.role ?? null,
      asSystem: <T>(run: Parameters<typeof runAsSystem<T>>[1]) => runAsSystem<T>(db, run),
    };
    return {
      jobs: mail
        ? [defineJob<LinkNotice>(linkNoticeJob, (notice) => sendLinkNotice({ transactions, mail, publicUrl }, notice))]
        : [],
      background: [createRefreshWorker(refreshing)],
      subscribers: [
        runAfterEvents([integrationChanged], 'boards.resume', ({ connection_id: id }, { workspaceId }) =>
          transactions.run(workspaceId, 'write', (bound) => resumeRefreshes(bound, id)),
        ),
      ],
    };
  },
});

/** Recipes that failed are due at once when their account was linked again. */
async function resumeRefreshes(db: Db, connectionId: string | undefined): Promise<void> {
  if (connectionId === undefined) return;
  const account = await findConnection(db, connectionId);
  if (account?.status === 'active') await wakeRecipes(db, connectionId);
}
