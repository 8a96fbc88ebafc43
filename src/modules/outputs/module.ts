import { defineJob, defineModule, runAfterEvents, memoizePerServer, type Subscriber, type Work } from '#kernel/module';
import { gateDepsOf } from '#modules/actions';
import { policyChanged } from '#modules/policy';
import type { ArrivedEvent } from '#modules/webhooks';
import type { Db } from '#kernel/database';
import type { EmittedEvent, EventKind } from '#kernel/event';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { runAsSystem, queryWorkspaceIds } from '#platform/database';
import { MailError } from '#platform/mail';
import { sql } from 'kysely';
import { mailJob, type MailWork } from './delivering/notify-owner.ts';
import { createDeliveryWorker } from './delivering/worker.ts';
import { createFeedRead } from './feed/read-feed.ts';
import { endOutputsOfKeys, endOutputsOfPerson } from './end-person.ts';
import { deliveryResource, destinationResource, routeResource } from './ids.ts';
import { createRouteReach, openOutputRoute } from './open-output-route.ts';
import { attachOutputRoute } from './operations/attach-output-route.ts';
import { deleteOutputDestination } from './operations/delete-output-destination.ts';
import { detachOutputRoute } from './operations/detach-output-route.ts';
import { getOutputDelivery } from './operations/get-output-delivery.ts';
import { listOutputDeliveries } from './operations/list-output-deliveries.ts';
import { listOutputDestinations } from './operations/list-output-destinations.ts';
import { listOutputRoutes } from './operations/list-output-routes.ts';
import { recoverOutputDeliveries } from './operations/recover-output-deliveries.ts';
import { registerOutputDestination } from './operations/register-output-destination.ts';
import { replayOutputDelivery } from './operations/replay-output-delivery.ts';
import { rotateOutputSecret } from './operations/rotate-output-secret.ts';
import { testOutputDestination } from './operations/test-output-destination.ts';
import { updateOutputDestination } from './operations/update-output-destination.ts';
import { passOn } from './pass-on.ts';
import { pauseBlocked } from './pause-blocked.ts';
import { passOnEvent, productEvents, type ProductSource } from './product-events.ts';
import { countWaitingDeliveries, dropPayloadsBefore } from './store/deliveries.ts';
import { hasProductRoutes } from './store/destinations.ts';
import { failUnread } from './store/feeds.ts';

const day = 24 * 60 * 60 * 1_000;

/** Wakes the delivery worker. Set when the server starts. */
const getWaker = memoizePerServer((_ground: Ground) => ({ wake: () => {} }));

/** Passes events on, in the transaction that stores them. Afterwards the worker must be woken. */
export const createPassOn = (ground: Ground) => {
  const waker = getWaker(ground);
  return async (db: Db, arrived: ArrivedEvent) => {
    const isQueued = await passOn({ now, newId }, db, arrived);
    return () => isQueued && waker.wake();
  };
};

/** Answers readers of feeds. */
export const createOutputFeed = ({ db, transactions }: Ground) => createFeedRead({ db, transactions, now });

/** Destinations and routes: events are passed on to webhooks and feeds. */
export const outputsModule = defineModule<Ground>({
  name: 'outputs',
  resources: [destinationResource, routeResource, deliveryResource],
  actions: { all: [openOutputRoute], reach: createRouteReach },
  endPerson: endOutputsOfPerson,
  endKeys: endOutputsOfKeys,
  operations(ground) {
    const { egress, vault, config } = ground;
    const wake = () => getWaker(ground).wake();
    return [
      registerOutputDestination({ egress, vault, publicUrl: config.publicUrl }),
      listOutputDestinations,
      updateOutputDestination({ egress, vault }),
      rotateOutputSecret({ vault }),
      testOutputDestination({ egress, vault }),
      deleteOutputDestination,
      attachOutputRoute({ gate: gateDepsOf(ground) }),
      listOutputRoutes,
      detachOutputRoute,
      listOutputDeliveries,
      getOutputDelivery,
      replayOutputDelivery({ wake }),
      recoverOutputDeliveries({ wake }),
    ];
  },
  work: createWork,
});

function createWork(ground: Ground): Work {
  const { db, transactions, egress, vault, jobs, mail, log, config, telemetry } = ground;
  const sent = telemetry.counter('thalamus_output_attempts_total', 'Attempts to deliver.', ['destination', 'outcome']);
  telemetry.gauge(
    'thalamus_output_deliveries_waiting',
    'Deliveries that wait, in all processes.',
    ['destination_state'],
    async () =>
      (await runAsSystem(db, countWaitingDeliveries)).map(({ state, count }) => ({
        value: count,
        of: { destination_state: state },
      })),
  );
  const worker = createDeliveryWorker({
    transactions,
    egress,
    vault,
    jobs,
    log,
    now,
    newId,
    random: Math.random,
    canMail: mail !== null,
    publicUrl: config.publicUrl,
    asSystem: (work) => runAsSystem(db, work),
    count: (destination, outcome) => sent.inc(1, { destination, outcome }),
  });
  getWaker(ground).wake = worker.wake;
  const telling = { jobs, canMail: mail !== null, publicUrl: config.publicUrl };
  const keptSince = () => new Date(now().getTime() - config.webhookDays * day);
  return {
    background: [worker],
    subscribers: [
      createSourceSubscriber('brain', ground),
      createSourceSubscriber('drafts', ground),
      createSourceSubscriber('runs', ground),
      runAfterEvents([policyChanged], 'outputs.blocked', (_payload, { workspaceId }) =>
        transactions.run(workspaceId, 'write', (bound) => pauseBlocked(telling, bound)),
      ),
    ],
    jobs: [
      defineJob<MailWork>(mailJob, async ({ email, subject, text }) => {
        await mail?.send({ to: email, subject, text }).catch((error: unknown) => {
          if (!(error instanceof MailError && error.isForGood)) throw error;
        });
      }),
    ],
    eachMinute: [
      {
        name: 'outputs.retention',
        findWorkspaces: (bound) => queryWorkspaceIds(bound, sql`workspaces_with_old_deliveries(${keptSince()})`),
        run: (workspaceId) =>
          transactions.run(workspaceId, 'write', async (bound) => {
            await failUnread(bound, keptSince());
            await dropPayloadsBefore(bound, keptSince());
          }),
      },
    ],
  };
}

function createSourceSubscriber(source: ProductSource, ground: Ground): Subscriber {
  const run = async (_payload: object, event: EmittedEvent) => {
    await ground.transactions.run(event.workspaceId, 'write', (db) => passOnEvent({ now, newId }, db, source, event));
    getWaker(ground).wake();
  };
  return runAfterEvents(
    productEvents[source] as readonly EventKind[],
    `outputs.${source}`,
    run,
    hasProductRoutes(source),
  );
}
