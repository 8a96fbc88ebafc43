export { automationHooksOf, automationsModule } from './module.ts';
