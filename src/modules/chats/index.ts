export { chatsModule } from './module.ts';
