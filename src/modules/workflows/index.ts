export { applyWorkflowDesign, buildWorkflowDesign, readWorkflowDesign, type WorkflowDesign } from './design.ts';
export { saveWorkflow, workflowInput, type WorkflowInput } from './save-workflow.ts';
export { workflowDeadlinePassed } from './events.ts';
export { listDeadlinePeople, listLateDeadlines, type LateDeadline } from './late-deadlines.ts';
export { workflowsModule } from './module.ts';
export { buildWorkflowUrl } from './present-workflow.ts';
export { listWorkflowTitles } from './store/workflows.ts';
export { recoverWorkflows, uninstallWorkflows } from './uninstall-workflows.ts';
