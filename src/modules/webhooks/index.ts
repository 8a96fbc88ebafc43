export { webhookConnectorId } from './ids.ts';
export { type WebhookReceive } from './intake/receive.ts';
export { getWebhookIntake, createWebhooksModule } from './module.ts';
export { generateSigningSecret, computeStandardSignature } from './signatures/standard.ts';
export {
  findConnector as findWebhookConnector,
  listOwnConnectorIds as ownWebhookConnectors,
} from './store/connectors.ts';
export { type ArrivedEvent } from './translating/process-event.ts';
