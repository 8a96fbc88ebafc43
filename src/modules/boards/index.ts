export { boardChanged } from './events.ts';
export { boardsModule } from './module.ts';
export { locateBoards } from './store/boards.ts';
