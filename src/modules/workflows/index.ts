export { workflowsModule } from './module.ts';
