import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { boardChanged } from './events.ts';
import { boardResource } from './ids.ts';
import { appendBoardRows } from './operations/append-board-rows.ts';
import { createBoard } from './operations/create-board.ts';
import { deleteBoard } from './operations/delete-board.ts';
import { getBoard } from './operations/get-board.ts';
import { listBoards } from './operations/list-boards.ts';
import { portableBoards } from './portable.ts';
import { boardContents, boardRowContents } from './store.ts';

/** Tables in brains that people and automations fill. */
export const boardsModule = defineModule<Ground>({
  name: 'boards',
  resources: [boardResource],
  events: [boardChanged],
  portable: portableBoards,
  contents: [boardContents, boardRowContents],
  operations: ({ config: { publicUrl } }) => [
    createBoard({ publicUrl }),
    getBoard,
    listBoards({ publicUrl }),
    appendBoardRows,
    deleteBoard,
  ],
});
