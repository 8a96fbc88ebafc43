export { createArchivesModule } from './module.ts';
