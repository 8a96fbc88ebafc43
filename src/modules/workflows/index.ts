export { saveWorkflow, workflowInput } from './save-workflow.ts';
export { workflowsModule } from './module.ts';
export { buildWorkflowUrl } from './present-workflow.ts';
