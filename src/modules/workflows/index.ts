export { workflowInput } from './save-workflow.ts';
export { workflowsModule } from './module.ts';
