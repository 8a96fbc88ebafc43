export { runChanged } from './events.ts';
export { automationHooksOf, automationsModule } from './module.ts';
