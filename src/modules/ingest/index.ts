export { ingestModule } from './module.ts';
