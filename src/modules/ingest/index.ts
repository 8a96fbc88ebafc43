export { connectorTokens } from './caller-of-connector.ts';
export { longestContent } from './ingest-form.ts';
export { ingestItem } from './ingest-item.ts';
export { ingestModule } from './module.ts';
export { type Sender } from './sender.ts';
