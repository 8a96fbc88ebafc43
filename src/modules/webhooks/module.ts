import type { Calls } from '#kernel/calls';
import { defineJob, defineModule, runAfterEvents, memoizePerServer, type Work } from '#kernel/module';
import { createRateLimit } from '#modules/accounts';
import { variableChanged } from '#modules/variables';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { runAsSystem, queryWorkspaceIds } from '#platform/database';
import { sql } from 'kysely';
import { alertJob, notifyOwner, sendAlertMail, type AlertWork } from './alerts.ts';
import { webhookConnectorChanged, webhookEventEnded } from './events.ts';
import { finishSecrets } from './finish-secrets.ts';
import { fixtureResource, webhookConnectorResource, webhookEventResource } from './ids.ts';
import { createKnownConnectors } from './intake/known-connectors.ts';
import { createReceive } from './intake/receive.ts';
import { activateWebhookConnector } from './operations/activate-webhook-connector.ts';
import { addWebhookTestFixture } from './operations/add-webhook-test-fixture.ts';
import { createBacktestTranslator } from './operations/backtest-webhook-translator.ts';
import { createWebhookConnector } from './operations/create-webhook-connector.ts';
import { deleteWebhookConnector } from './operations/delete-webhook-connector.ts';
import { deleteWebhookTestFixture } from './operations/delete-webhook-test-fixture.ts';
import { getWebhookConnector } from './operations/get-webhook-connector.ts';
import { getWebhookEvent } from './operations/get-webhook-event.ts';
import { getWebhookSamples } from './operations/get-webhook-samples.ts';
import { listWebhookConnectors } from './operations/list-webhook-connectors.ts';
import { listWebhookEvents } from './operations/list-webhook-events.ts';
import { listWebhookProviders } from './operations/list-webhook-providers.ts';
import { listWebhookTestFixtures } from './operations/list-webhook-test-fixtures.ts';
import { pauseWebhookConnector } from './operations/pause-webhook-connector.ts';
import { replayWebhookEvents } from './operations/replay-webhook-events.ts';
import { showWebhookSecret } from './operations/show-webhook-secret.ts';
import { testWebhookTranslator } from './operations/test-webhook-translator.ts';
import { updateWebhookConfig } from './operations/update-webhook-config.ts';
import { pauseConnectorsOfKeys, pauseConnectorsOfPerson } from './store/connectors.ts';
import { countWaitingEvents, dropContentBefore } from './store/events.ts';
import type { ProcessEventDeps } from './translating/process-event.ts';
import { createTranslating, type WorkerOptions } from './translating/worker.ts';

const day = 24 * 60 * 60 * 1_000;

/** State shared by the parts of this module in one server. */
const getSharedState = memoizePerServer((ground: Ground) => {
  const { db, transactions, vault, telemetry } = ground;
  const events = telemetry.counter('thalamus_webhook_events_total', 'Events of webhook connectors.', [
    'connector',
    'outcome',
  ]);
  return {
    known: createKnownConnectors({ db, transactions, vault, now }),
    /** Wakes the translator. Set when the server starts. */
    waker: { wake: () => {} },
    count: (connector: string, outcome: string) => events.inc(1, { connector, outcome }),
  };
});

/** Receives requests to the addresses of connectors. */
export const getWebhookIntake = memoizePerServer((ground: Ground) => {
  const { transactions, vault, config } = ground;
  const { known, waker, count } = getSharedState(ground);
  const { publicUrl, webhookBytes: mostBytes } = config;
  const limit = createRateLimit({ limiter: 'webhook_deliveries', transactions, callsPerMinute: config.rateLimit, now });
  const wake = () => waker.wake();
  return {
    receive: createReceive({ transactions, vault, known, publicUrl, mostBytes, limit, wake, count, newId }),
    isKnown: async (slug: string) => (await known.find(slug)) !== null,
    mostBytes,
  };
});

/** Passes stored events on. A later module sets it. */
export type PassOnOf = (ground: Ground) => ProcessEventDeps['passOn'];

/** Webhook connectors: events of services become documents. */
export const createWebhooksModule = ({ getPassOn }: { getPassOn: PassOnOf }) =>
  defineModule<Ground>({
    name: 'webhooks',
    resources: [webhookConnectorResource, webhookEventResource, fixtureResource],
    events: [webhookEventEnded, webhookConnectorChanged],
    endPerson: pauseConnectorsOfPerson,
    endKeys: pauseConnectorsOfKeys,
    operations(ground) {
      const { publicUrl } = ground.config;
      const { vault, sandbox } = ground;
      const { known, waker } = getSharedState(ground);
      return [
        createWebhookConnector({ publicUrl, vault }),
        updateWebhookConfig({ publicUrl, vault, known }),
        listWebhookProviders,
        listWebhookConnectors({ publicUrl }),
        getWebhookConnector({ publicUrl, vault }),
        addWebhookTestFixture,
        listWebhookTestFixtures,
        deleteWebhookTestFixture,
        testWebhookTranslator({ sandbox }),
        createBacktestTranslator({ sandbox }),
        activateWebhookConnector({ known }),
        pauseWebhookConnector({ known }),
        deleteWebhookConnector({ known }),
        showWebhookSecret({ vault }),
        listWebhookEvents,
        getWebhookEvent,
        getWebhookSamples,
        replayWebhookEvents({ sandbox, wake: () => waker.wake() }),
      ];
    },
    work: (ground, calls) => createWork(ground, calls, getPassOn),
  });

/** Background work: translation, mails to owners, new secrets, and deletion after the retention time. */
function createWork(ground: Ground, calls: Calls, getPassOn: PassOnOf): Work {
  const { db, transactions, mail, vault, config, telemetry } = ground;
  const { known, waker } = getSharedState(ground);
  telemetry.gauge(
    'thalamus_webhook_events_waiting',
    'Webhook events that wait for their translation, in all processes.',
    [],
    async () => [{ value: await runAsSystem(db, countWaitingEvents), of: {} }],
  );
  const worker = createTranslating({ ...createWorkerOptions(ground, calls), passOn: getPassOn(ground) });
  waker.wake = worker.wake;
  const keptSince = () => new Date(now().getTime() - config.webhookDays * day);
  return {
    background: [worker],
    jobs: [
      defineJob<AlertWork>(alertJob, async (work) => {
        if (mail) await sendAlertMail({ transactions, mail, publicUrl: config.publicUrl }, work);
      }),
    ],
    subscribers: [
      runAfterEvents([variableChanged], 'webhooks.finish-secrets', async ({ variable_id, change }, { workspaceId }) => {
        if (change === 'set') await finishSecrets({ transactions, vault, known, now, newId }, workspaceId, variable_id);
      }),
    ],
    eachMinute: [
      {
        name: 'webhooks.retention',
        findWorkspaces: (bound) => queryWorkspaceIds(bound, sql`workspaces_with_old_webhook_events(${keptSince()})`),
        run: (workspaceId) => transactions.run(workspaceId, 'write', (bound) => dropContentBefore(bound, keptSince())),
      },
    ],
  };
}

function createWorkerOptions(ground: Ground, calls: Calls): Omit<WorkerOptions, 'passOn'> {
  const { db, transactions, jobs, mail, sandbox, search, emitEvent, log } = ground;
  return {
    transactions,
    sandbox,
    calls,
    search,
    jobs,
    log,
    now,
    newId,
    count: getSharedState(ground).count,
    asSystem: (work) => runAsSystem(db, work),
    alert: (bound, connector, end) => notifyOwner({ jobs, canMail: mail !== null, now }, bound, connector, end),
    async emitReceived(bound, { id, workspace_id: workspaceId, person_id: personId }, event, outcome) {
      const payload = { webhook_connector_id: id, webhook_event_id: event.id, outcome };
      await emitEvent(bound, webhookEventEnded(payload, { personId }), { id: newId(), workspaceId, at: now() });
    },
  };
}
