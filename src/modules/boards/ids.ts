import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateBoards } from './store/boards.ts';

export const boardId = itemId('board').describe('Id of a board, from `list_boards` or `get_board`.');

/** Readers of its brain see a board. */
export const boardResource = defineResource({ kind: 'board', noun: 'board', locate: locateBoards });
