export { archivesModule } from './module.ts';
