import { defineJob, defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { boardChanged } from './events.ts';
import { boardLinkResource, boardResource, linkToEndResource } from './ids.ts';
import { getLinkReaders } from './links/link-readers.ts';
import { linkNoticeJob, sendLinkNotice, type LinkNotice } from './links/notify-account-owner.ts';
import { appendBoardRows } from './operations/append-board-rows.ts';
import { createBoardLink } from './operations/create-board-link.ts';
import { createBoard } from './operations/create-board.ts';
import { deleteBoardLink } from './operations/delete-board-link.ts';
import { deleteBoardRow } from './operations/delete-board-row.ts';
import { deleteBoard } from './operations/delete-board.ts';
import { getBoard } from './operations/get-board.ts';
import { listBoardLinksOperation } from './operations/list-board-links.ts';
import { listBoards } from './operations/list-boards.ts';
import { queryBoardRows } from './operations/query-board-rows.ts';
import { restoreBoardRow } from './operations/restore-board-row.ts';
import { testBoardLink } from './operations/test-board-link.ts';
import { updateBoardRow } from './operations/update-board-row.ts';
import { updateBoard } from './operations/update-board.ts';
import { portableBoards } from './portable.ts';
import { getRestoreLimit } from './rows/delete-row.ts';
import { boardContents, boardRowContents } from './store/contents.ts';
import { endLinksOfPerson } from './store/links.ts';
import { removeRowsDeletedBefore } from './store/rows.ts';

/** Tables in brains that people and automations fill. */
export const boardsModule = defineModule<Ground>({
  name: 'boards',
  resources: [boardResource, boardLinkResource, linkToEndResource],
  events: [boardChanged],
  portable: portableBoards,
  contents: [boardContents, boardRowContents],
  endPerson: endLinksOfPerson,
  tidy: (db, at) => removeRowsDeletedBefore(db, getRestoreLimit(at)),
  operations: (ground) => {
    const {
      jobs,
      mail,
      config: { publicUrl },
    } = ground;
    const readers = getLinkReaders(ground);
    return [
      createBoard({ publicUrl }),
      getBoard,
      listBoards({ publicUrl }),
      queryBoardRows,
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
    ];
  },
  work({ mail, transactions, config: { publicUrl } }) {
    return {
      jobs: mail
        ? [defineJob<LinkNotice>(linkNoticeJob, (notice) => sendLinkNotice({ transactions, mail, publicUrl }, notice))]
        : [],
    };
  },
});
