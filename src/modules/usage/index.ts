export { LlmCapReached } from './caps.ts';
export { llmOf, type MeteredLlm } from './metered-llm.ts';
export { usageModule } from './module.ts';
