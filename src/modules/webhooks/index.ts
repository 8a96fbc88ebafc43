export { webhookConnectorId } from './ids.ts';
export { type WebhookReceive } from './intake/receive.ts';
export { webhookIntakeOf, webhooksModule } from './module.ts';
export { newSigningSecret, standardSignature } from './signatures/standard.ts';
export { findConnector as findWebhookConnector, ownConnectors as ownWebhookConnectors } from './store/connectors.ts';
export { type Arrived } from './translating/process-event.ts';
