export { applyAutomationDesign } from './apply-design.ts';
export { buildAutomationDesign, readAutomationDesign, toAutomationInput, type AutomationDesign } from './design.ts';
export { estimateNewAutomation } from './estimate.ts';
export { runChanged } from './events.ts';
export { automationId } from './ids.ts';
export { getAutomationHooks, automationsModule, getSaveDeps } from './module.ts';
export { automationInput, saveAutomation, type AutomationInput, type SaveDeps } from './save-automation.ts';
export { pauseAutomation, stopWorkflowAutomations, pauseWorkflowAutomations } from './stop-workflow-automations.ts';
export { findAutomation, hasAutomationNamed, listAutomationNames } from './store/automations.ts';
export { listWorkflowAutomations, type WorkflowAutomation } from './store/workflow-automations.ts';
export {
  recoverAutomations,
  recoverWorkflowAutomations,
  uninstallAutomations,
  uninstallWorkflowAutomations,
} from './uninstall-automations.ts';
