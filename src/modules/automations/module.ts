import type { Calls } from '#kernel/calls';
import { defineModule, runAfterEvents, memoizePerServer } from '#kernel/module';
import { createRateLimit } from '#modules/accounts';
import { boardChanged } from '#modules/boards';
import { pageIngested } from '#modules/pages';
import { getMeteredEmbedders, getMeteredLlm } from '#modules/usage';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { runAsSystem } from '#platform/database';
import { scriptNames } from '#platform/sandbox';
import type { FindOperation } from './check-grants.ts';
import { endAutomationsOfKeys, endAutomationsOfPerson } from './end-person.ts';
import { automationChanged, runChanged } from './events.ts';
import { automationResource, changeResource, runResource } from './ids.ts';
import { acceptAutomationChange } from './operations/accept-automation-change.ts';
import { automationKv } from './operations/automation-kv.ts';
import { createLlmComplete } from './operations/automation-llm-complete.ts';
import { createAutomationFlow } from './operations/create-automation-flow.ts';
import { declineAutomationChange } from './operations/decline-automation-change.ts';
import { deleteAutomation } from './operations/delete-automation.ts';
import { deleteAutomationFixture } from './operations/delete-automation-fixture.ts';
import { estimateAutomationCost } from './operations/estimate-automation-cost.ts';
import { findOverlappingAutomations } from './operations/find-overlapping-automations.ts';
import { getAutomation } from './operations/get-automation.ts';
import { getAutomationRun } from './operations/get-automation-run.ts';
import { listAutomationRuns } from './operations/list-automation-runs.ts';
import { listAutomations } from './operations/list-automations.ts';
import { replayAutomationRun } from './operations/replay-automation-run.ts';
import { rotateAutomationWebhook } from './operations/rotate-automation-webhook.ts';
import { runAutomationOnce } from './operations/run-automation-once.ts';
import { saveAutomationDraft } from './operations/save-automation-draft.ts';
import { saveAutomationFixture } from './operations/save-automation-fixture.ts';
import { stopAutomationRun } from './operations/stop-automation-run.ts';
import { testAutomation } from './operations/test-automation.ts';
import { updateAutomation } from './operations/update-automation.ts';
import { createReceive } from './receive-delivery.ts';
import type { SaveDeps } from './save-automation.ts';
import type { RunDeps } from './running/run-deps.ts';
import { createRunner } from './running/runner.ts';
import { countOpenRuns } from './store/due.ts';
import { dropRecordingsBefore } from './store/runs.ts';
import { purgeAutomations } from './uninstall-automations.ts';
import { startAfterBoard, startAfterPages } from './running/start-after-events.ts';

/** Scripts and their grants name some operations by short names. */
function toOperationName(name: string): string {
  return Object.hasOwn(scriptNames, name) ? scriptNames[name as keyof typeof scriptNames] : name; // it is one of its keys
}

/** All operations, known once all modules are loaded. */
const getCallsHolder = memoizePerServer((_ground: Ground): { calls: Calls | null } => ({ calls: null }));

/** What `saveAutomation` needs of the server. */
export const getSaveDeps = memoizePerServer((ground: Ground): SaveDeps => {
  const find: FindOperation = (name) => getCallsHolder(ground).calls?.find(toOperationName(name));
  return { publicUrl: ground.config.publicUrl, find, llm: getMeteredLlm(ground) };
});

const deliveriesPerMinute = 120;
const recordingsKeptMs = 7 * 24 * 60 * 60 * 1_000;

/** Receives deliveries to the addresses of automations. */
export const getAutomationHooks = memoizePerServer(({ db, transactions }: Ground) =>
  createReceive({
    db,
    transactions,
    limit: createRateLimit({
      limiter: 'automation_deliveries',
      transactions,
      callsPerMinute: deliveriesPerMinute,
      now,
    }),
    now,
    newId,
  }),
);

/** Programs that run in a sandbox, started by schedules, events or requests, and limited by their grants. */
export const automationsModule = defineModule<Ground>({
  name: 'automations',
  resources: [automationResource, runResource, changeResource],
  events: [automationChanged, runChanged],
  async tidy(db, at) {
    await dropRecordingsBefore(db, new Date(at.getTime() - recordingsKeptMs));
    await purgeAutomations(db, at);
  },
  endPerson: endAutomationsOfPerson,
  endKeys: endAutomationsOfKeys,
  operations(ground) {
    const { publicUrl, find, llm } = getSaveDeps(ground);
    return [
      createAutomationFlow,
      saveAutomationDraft({ publicUrl, find, llm }),
      updateAutomation({ publicUrl, find, llm }),
      acceptAutomationChange({ find }),
      declineAutomationChange,
      saveAutomationFixture({ find }),
      deleteAutomationFixture,
      testAutomation({ sandbox: ground.sandbox, find }),
      estimateAutomationCost,
      deleteAutomation,
      rotateAutomationWebhook({ publicUrl }),
      findOverlappingAutomations({ embedder: getMeteredEmbedders(ground) }),
      listAutomations({ publicUrl }),
      getAutomation({ publicUrl, find }),
      runAutomationOnce({ publicUrl }),
      listAutomationRuns,
      getAutomationRun,
      replayAutomationRun({ publicUrl }),
      stopAutomationRun,
      createLlmComplete({ llm }),
      automationKv,
    ];
  },
  work(ground, calls) {
    getCallsHolder(ground).calls = calls;
    const { db, transactions, sandbox, vault, emitEvent, log, telemetry } = ground;
    const runs = telemetry.counter('thalamus_automation_runs_total', 'Runs of automations that ended.', [
      'trigger',
      'outcome',
    ]);
    telemetry.gauge(
      'thalamus_automation_runs_open',
      'Runs that wait or are under way, in all processes.',
      ['state'],
      async () => (await runAsSystem(db, countOpenRuns)).map(({ state, count }) => ({ value: count, of: { state } })),
    );
    const count: RunDeps['count'] = (run) => runs.inc(1, run);
    const doors = { transactions, sandbox, calls, vault, emitEvent, log, now, newId, count };
    const running = { ...doors, asSystem: <T>(run: Parameters<typeof runAsSystem<T>>[1]) => runAsSystem<T>(db, run) };
    return {
      background: [createRunner(running)],
      subscribers: [
        runAfterEvents([pageIngested], 'automations.pages', (event, { workspaceId }) =>
          startAfterPages(running, workspaceId, event),
        ),
        runAfterEvents([boardChanged], 'automations.boards', (event, { workspaceId }) =>
          startAfterBoard(running, workspaceId, event),
        ),
      ],
    };
  },
});
