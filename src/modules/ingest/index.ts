export { ingestItem, longestContent } from './ingesting.ts';
export { ingestModule } from './module.ts';
export { type ReadyConnector } from './store/connectors.ts';
