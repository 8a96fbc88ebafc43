// Facts about senders, from their documentation: signature, place of event id and type, and verification request.
import { createHmac } from 'node:crypto';
import { getFieldAt } from '../body-fields.ts';
import type { Rule } from './rule.ts';

/** Where the event id or type is found. The first place with a value counts. */
export type FieldLocation = { header: string } | { field: string };

/** Whether the signature covers the id. If not, the hash of the body distinguishes deliveries. */
export type IdPlace = FieldLocation & { isSigned: boolean };

/** The answer to a verification request of the sender. `null`: the request is an event. */
type Handshake = (body: unknown, secret: string | null) => { status: 200 | 204; json?: Record<string, unknown> } | null;

export type Provider = {
  title: string;
  /** The signature rule for a secret. */
  rule(secret: string | null): Rule;
  /** Who creates the secret: `ours` may be created here; `theirs` is copied from the sender. */
  secret: 'ours' | 'theirs';
  ids: readonly IdPlace[];
  types: readonly FieldLocation[];
  handshake?: Handshake;
  /** Setup, step by step. `{url}` stands for the address. */
  steps: readonly string[];
};

const minutes = 60;
const standard: Rule = { kind: 'standard', toleranceSeconds: 5 * minutes };

function buildBodyHmacRule(header: string, more: Partial<Extract<Rule, { kind: 'hmac' }>> = {}): Rule {
  return { kind: 'hmac', hash: 'sha256', headers: [header], encoding: 'hex', signed: ['body'], ...more };
}

export const providers = {
  github: {
    title: 'GitHub',
    rule: () => buildBodyHmacRule('x-hub-signature-256', { prefix: 'sha256=' }),
    secret: 'ours',
    ids: [{ header: 'x-github-delivery', isSigned: false }],
    types: [{ header: 'x-github-event' }],
    steps: [
      'Open the settings of the repository or organization, then Webhooks, then Add webhook.',
      'Payload URL: {url}. Content type: application/json. Secret: the secret of this connector.',
      'Choose the events and save. GitHub sends a ping at once.',
    ],
  },
  gitlab: {
    title: 'GitLab',
    rule: (secret) => (secret?.startsWith('whsec_') ? standard : { kind: 'token', headers: ['x-gitlab-token'] }),
    secret: 'ours',
    ids: [
      { header: 'webhook-id', isSigned: false },
      { header: 'idempotency-key', isSigned: false },
      { header: 'x-gitlab-event-uuid', isSigned: false },
    ],
    types: [{ field: 'object_kind' }, { header: 'x-gitlab-event' }],
    steps: [
      'Open Settings, then Webhooks, of the project or group, and add a webhook.',
      'URL: {url}. Signing token: the secret of this connector.',
      'If your GitLab offers only a secret token, choose a text of your own. Enter it there, and as the secret of this connector.',
      'Choose the triggers and save. Test sends an event.',
    ],
  },
  stripe: {
    title: 'Stripe',
    rule: () =>
      buildBodyHmacRule('stripe-signature', {
        prefix: 'v1=',
        separator: ',',
        signed: ['timestamp', { text: '.' }, 'body'],
        moment: { at: { part: 't=' }, unit: 'seconds', toleranceSeconds: 5 * minutes },
      }),
    secret: 'theirs',
    ids: [{ field: 'id', isSigned: true }],
    types: [{ field: 'type' }],
    steps: [
      'Open Workbench, then Webhooks, and create an event destination.',
      'Choose the events and Webhook endpoint. Endpoint URL: {url}.',
      'Reveal the signing secret (whsec_…) and copy it into this connector. Test mode and live mode have different secrets.',
    ],
  },
  slack: {
    title: 'Slack',
    rule: () =>
      buildBodyHmacRule('x-slack-signature', {
        prefix: 'v0=',
        signed: [{ text: 'v0:' }, 'timestamp', { text: ':' }, 'body'],
        moment: { at: { header: 'x-slack-request-timestamp' }, unit: 'seconds', toleranceSeconds: 5 * minutes },
      }),
    secret: 'theirs',
    ids: [{ field: 'event_id', isSigned: true }],
    types: [{ field: 'event.type' }, { field: 'type' }],
    handshake: (body) =>
      getFieldAt(body, 'type') === 'url_verification'
        ? { status: 200, json: { challenge: getTextAt(body, 'challenge') } }
        : null,
    steps: [
      'Open your app at api.slack.com/apps, then Basic Information. Copy its Signing Secret into this connector first.',
      'Open Event Subscriptions and enable events. Request URL: {url}. Slack verifies it at once.',
      'Subscribe to bot events, save, and install the app in the workspace.',
    ],
  },
  linear: {
    title: 'Linear',
    rule: () =>
      buildBodyHmacRule('linear-signature', {
        moment: { at: { field: 'webhookTimestamp' }, unit: 'milliseconds', toleranceSeconds: minutes },
      }),
    secret: 'theirs',
    ids: [{ header: 'linear-delivery', isSigned: false }],
    types: [{ header: 'linear-event' }, { field: 'type' }],
    steps: [
      'Open Settings, then API, then New webhook. URL: {url}.',
      'Copy the signing secret into this connector.',
      'Choose the data to send and create the webhook.',
    ],
  },
  notion: {
    title: 'Notion',
    rule: () => buildBodyHmacRule('x-notion-signature', { prefix: 'sha256=' }),
    secret: 'theirs',
    ids: [{ field: 'id', isSigned: true }],
    types: [{ field: 'type' }],
    steps: [
      'Open your connection at notion.so/developers/connections, then Webhooks, and create a subscription. URL: {url}.',
      'Notion sends a verification token. This connector stores it as its secret and shows it to you here.',
      'Paste the token into Notion to verify the subscription.',
    ],
  },
  shopify: {
    title: 'Shopify',
    rule: () => buildBodyHmacRule('x-shopify-hmac-sha256', { encoding: 'base64' }),
    secret: 'theirs',
    ids: [
      { header: 'x-shopify-webhook-id', isSigned: false },
      { header: 'x-shopify-event-id', isSigned: false },
    ],
    types: [{ header: 'x-shopify-topic' }],
    steps: [
      'Open Settings, then Notifications, then Webhooks, and create a webhook. Format: JSON. URL: {url}.',
      'Copy the signing key shown on that page into this connector.',
      'For webhooks of an app, copy the client secret of the app instead.',
    ],
  },
  hubspot: {
    title: 'HubSpot',
    rule: () =>
      buildBodyHmacRule('x-hubspot-signature-v3', {
        encoding: 'base64',
        signed: ['method', 'url', 'body', 'timestamp'],
        moment: { at: { header: 'x-hubspot-request-timestamp' }, unit: 'milliseconds', toleranceSeconds: 5 * minutes },
      }),
    secret: 'theirs',
    ids: [],
    types: [{ field: '0.subscriptionType' }, { field: 'subscriptionType' }],
    steps: [
      'Open your app, then Webhooks. Target URL: {url}. In a project, set targetUrl in the webhooks file.',
      'Copy the client secret of the app (Auth) into this connector.',
      'Create and activate subscriptions.',
    ],
  },
  twilio: {
    title: 'Twilio',
    rule: () => ({ kind: 'address_and_form', header: 'x-twilio-signature', bodyHash: 'bodySHA256' }),
    secret: 'theirs',
    ids: [{ header: 'i-twilio-idempotency-token', isSigned: false }], // events of one message share its MessageSid
    types: [{ field: 'EventType' }, { field: 'SmsStatus' }, { field: 'CallStatus' }],
    steps: [
      'Open the phone number or messaging service. Set {url} as the webhook for incoming messages, with HTTP POST.',
      'Copy the primary auth token of the account into this connector.',
    ],
  },
  discord: {
    title: 'Discord',
    rule: () => ({
      kind: 'ed25519',
      signature: 'x-signature-ed25519',
      timestamp: 'x-signature-timestamp',
      toleranceSeconds: 5 * minutes,
    }),
    secret: 'theirs',
    ids: [{ field: 'id', isSigned: true }],
    types: [{ field: 'event.type' }],
    handshake(body) {
      const type = getFieldAt(body, 'type');
      if (type === 0) return { status: 204 }; // webhook events
      return type === 1 && getFieldAt(body, 'event') === undefined ? { status: 200, json: { type: 1 } } : null; // interactions
    },
    steps: [
      'Open your app at discord.com/developers, then General Information. Copy its Public Key into this connector first.',
      'Open Webhooks. Endpoint URL: {url}. Discord verifies it at once.',
      'Turn on Events, choose them, and save.',
    ],
  },
  telegram: {
    title: 'Telegram',
    rule: () => ({ kind: 'token', headers: ['x-telegram-bot-api-secret-token'] }),
    secret: 'ours',
    ids: [{ field: 'update_id', isSigned: false }],
    types: [],
    steps: [
      'Call setWebhook of the Bot API with url={url} and secret_token=the secret of this connector.',
      'Send the bot a message. A bot with a webhook cannot be polled at the same time.',
    ],
  },
  zoom: {
    title: 'Zoom',
    rule: () =>
      buildBodyHmacRule('x-zm-signature', {
        prefix: 'v0=',
        signed: [{ text: 'v0:' }, 'timestamp', { text: ':' }, 'body'],
        moment: { at: { header: 'x-zm-request-timestamp' }, unit: 'seconds', toleranceSeconds: 5 * minutes },
      }),
    secret: 'theirs',
    ids: [{ header: 'x-zm-trackingid', isSigned: false }],
    types: [{ field: 'event' }],
    handshake(body, secret) {
      if (getFieldAt(body, 'event') !== 'endpoint.url_validation' || secret === null) return null;
      const plainToken = getTextAt(body, 'payload.plainToken');
      const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
      return { status: 200, json: { plainToken, encryptedToken } };
    },
    steps: [
      'Open your app in the Zoom App Marketplace, then Features, then Access. Copy its Secret Token into this connector first.',
      'Turn on Event Subscriptions and add one. Event notification endpoint URL: {url}. Validate it.',
      'Choose the event types and save.',
    ],
  },
  sentry: {
    title: 'Sentry',
    rule: () => buildBodyHmacRule('sentry-hook-signature'),
    secret: 'theirs',
    ids: [{ header: 'request-id', isSigned: false }],
    types: [{ header: 'sentry-hook-resource' }],
    steps: [
      'Open Settings, then Custom Integrations, and create an internal integration. Webhook URL: {url}.',
      'Turn on Alert Rule Action for alerts, and choose the webhooks you want (issue, error, comment).',
      'Save. Copy the client secret, shown only for a short time, into this connector.',
    ],
  },
  pagerduty: {
    title: 'PagerDuty',
    rule: () => buildBodyHmacRule('x-pagerduty-signature', { prefix: 'v1=', separator: ',' }),
    secret: 'theirs',
    ids: [{ field: 'event.id', isSigned: true }],
    types: [{ field: 'event.event_type' }],
    steps: [
      'Open Integrations, then Generic Webhooks (v3), then New Webhook. Webhook URL: {url}.',
      'Choose the scope and the events, and add the webhook.',
      'Copy the secret into this connector. PagerDuty shows it once.',
    ],
  },
  intercom: {
    title: 'Intercom',
    rule: () => buildBodyHmacRule('x-hub-signature', { hash: 'sha1', prefix: 'sha1=' }),
    secret: 'theirs',
    ids: [{ field: 'id', isSigned: true }],
    types: [{ field: 'topic' }],
    steps: [
      'Open your app in the Developer Hub, then Basic information. Copy its client secret into this connector first.',
      'Open Configure, then Webhooks. Endpoint URL: {url}.',
      'Choose topics and save.',
    ],
  },
  typeform: {
    title: 'Typeform',
    rule: () => buildBodyHmacRule('typeform-signature', { encoding: 'base64', prefix: 'sha256=' }),
    secret: 'ours',
    ids: [{ field: 'event_id', isSigned: true }],
    types: [{ field: 'event_type' }],
    steps: [
      'Open Connect, then Webhooks, of the form, and add {url}.',
      'Edit the webhook and enter the secret of this connector as Secret.',
      'Turn the webhook on: Typeform creates it switched off.',
    ],
  },
  svix: {
    title: 'Svix and other senders of Standard Webhooks',
    rule: () => standard,
    secret: 'theirs',
    ids: [
      { header: 'svix-id', isSigned: true },
      { header: 'webhook-id', isSigned: true },
    ],
    types: [{ field: 'type' }, { field: 'event_type' }],
    steps: [
      'Add an endpoint with the URL {url}, and choose the events.',
      'Copy its signing secret (whsec_…) into this connector.',
    ],
  },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof providers;
export const providerNames = Object.keys(providers) as [ProviderName, ...ProviderName[]]; // TypeScript types the keys of an object as any string

function getTextAt(body: unknown, path: string): string {
  const value = getFieldAt(body, path);
  return typeof value === 'string' ? value.slice(0, 1_000) : '';
}
