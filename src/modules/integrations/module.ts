import { getConnectionId, defineModule, runAfterEvents } from '#kernel/module';
import { gateDepsOf } from '#modules/actions';
import { getClients, integrationChanged } from '#modules/connections';
import { getOpenRetainedFile } from '#modules/pages';
import { getMeteredLlm } from '#modules/usage';
import type { Ground } from '#platform';
import { createReach } from './reach.ts';
import { syncChanged } from './events.ts';
import { syncResource } from './ids.ts';
import { actOnIntegration, type BuildInstallDraft } from './operations/act-on-integration.ts';
import { fetchFromIntegration } from './operations/fetch-from-integration.ts';
import { listIntegrations } from './operations/list-integrations.ts';
import { listSyncs } from './operations/list-syncs.ts';
import { runSync } from './operations/run-sync.ts';
import { stopSync } from './operations/stop-sync.ts';
import { syncIntegration } from './operations/sync-integration.ts';
import { providerClientOf } from './server-client.ts';
import { createReaders } from './reader.ts';
import { accountProviders, integrationActions, sources } from '#providers';
import { stopSyncsOfPerson } from './store/syncs.ts';
import { createDueSyncRound, resumeSyncs, syncJob } from './sync/jobs.ts';

type IntegrationsModuleDeps = { getBuildInstallDraft(ground: Ground): BuildInstallDraft };

/** Reads from linked services, writes to them, and syncs brains with them. */
export function createIntegrationsModule({ getBuildInstallDraft }: IntegrationsModuleDeps) {
  return defineModule<Ground>({
    name: 'integrations',
    resources: [syncResource],
    events: [syncChanged],
    providers: accountProviders,
    actions: {
      all: integrationActions,
      reach(ground) {
        const doors = {
          client: providerClientOf(ground),
          files: getOpenRetainedFile(ground),
          transactions: ground.transactions,
        };
        return (draft, deadline) => createReach(doors, { ...draft, connection_id: getConnectionId(draft) }, deadline);
      },
    },
    endPerson: stopSyncsOfPerson,
    reads: sources.map(({ name }) => name),
    operations(ground) {
      const {
        jobs,
        config: { publicUrl, attachmentRoom },
      } = ground;
      const [clients, gate, llm] = [getClients(ground), gateDepsOf(ground), getMeteredLlm(ground)];
      const fetching = {
        createReader: createReaders(providerClientOf(ground), ground.extraction),
        publicUrl,
        attachmentRoom,
        jobs,
      };
      return [
        listIntegrations({ clients, publicUrl }),
        fetchFromIntegration(fetching),
        actOnIntegration({
          gate,
          sources,
          llm,
          attachmentRoom,
          fetching,
          buildInstallDraft: getBuildInstallDraft(ground),
        }),
        syncIntegration({ jobs, publicUrl }),
        listSyncs,
        runSync({ jobs }),
        stopSync,
      ];
    },
    work: (ground, calls) => ({
      jobs: [syncJob(ground, calls)],
      eachMinute: [createDueSyncRound(ground)],
      subscribers: [
        runAfterEvents([integrationChanged], 'integrations.resume', ({ connection_id: id }, { workspaceId }) =>
          resumeSyncs(ground, workspaceId, id),
        ),
      ],
    }),
  });
}
