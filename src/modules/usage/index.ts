export { costOf } from './cost.ts';
export { llmOf, type MeteredLlm } from './metered-llm.ts';
export { usageModule } from './module.ts';
