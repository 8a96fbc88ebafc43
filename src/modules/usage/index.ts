export { LlmCapReached } from './caps.ts';
export { embedderOf, type EmbedderOf } from './metered-embedder.ts';
export { llmOf, type MeteredLlm } from './metered-llm.ts';
export { usageModule } from './module.ts';
