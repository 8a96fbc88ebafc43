export { LlmCapReached } from './caps.ts';
export { getMeteredEmbedders, type MeteredEmbedders } from './metered-embedder.ts';
export { getMeteredLlm, type MeteredLlm } from './metered-llm.ts';
export { usageModule } from './module.ts';
