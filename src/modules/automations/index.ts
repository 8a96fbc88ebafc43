export { runChanged } from './events.ts';
export { getAutomationHooks, automationsModule } from './module.ts';
