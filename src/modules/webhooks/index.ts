export { type WebhookReceive } from './intake/receive.ts';
export { webhookIntakeOf, webhooksModule } from './module.ts';
