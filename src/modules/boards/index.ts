export { boardChanged } from './events.ts';
export { boardsModule } from './module.ts';
