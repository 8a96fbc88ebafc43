import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { boardChanged } from './events.ts';
import { boardResource } from './ids.ts';
import { appendBoardRows } from './operations/append-board-rows.ts';
import { createBoard } from './operations/create-board.ts';
import { deleteBoardRow } from './operations/delete-board-row.ts';
import { deleteBoard } from './operations/delete-board.ts';
import { getBoard } from './operations/get-board.ts';
import { listBoards } from './operations/list-boards.ts';
import { queryBoardRows } from './operations/query-board-rows.ts';
import { restoreBoardRow } from './operations/restore-board-row.ts';
import { updateBoardRow } from './operations/update-board-row.ts';
import { updateBoard } from './operations/update-board.ts';
import { portableBoards } from './portable.ts';
import { getRestoreLimit } from './rows/delete-row.ts';
import { boardContents, boardRowContents } from './store/contents.ts';
import { removeRowsDeletedBefore } from './store/rows.ts';

/** Tables in brains that people and automations fill. */
export const boardsModule = defineModule<Ground>({
  name: 'boards',
  resources: [boardResource],
  events: [boardChanged],
  portable: portableBoards,
  contents: [boardContents, boardRowContents],
  tidy: (db, at) => removeRowsDeletedBefore(db, getRestoreLimit(at)),
  operations: ({ config: { publicUrl } }) => [
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
  ],
});
