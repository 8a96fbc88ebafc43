export { boardInput, createBoardIn, datasetName, type BoardInput } from './create-board.ts';
export { applyBoardDesign, buildBoardDesign, readBoardDesign, type BoardDesign } from './design.ts';
export { boardChanged } from './events.ts';
export { boardId } from './ids.ts';
export { boardsModule } from './module.ts';
export { queryRows, rowQuery } from './rows/query-rows.ts';
export { findBoardsByName, listBoardNames, locateBoards } from './store/boards.ts';
export { recoverBoards, uninstallBoards } from './uninstall-boards.ts';
