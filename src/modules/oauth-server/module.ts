import { defineModule, runAfterEvents } from '#kernel/module';
import type { Ground } from '#platform';
import { clientDisconnected, clientUsedElsewhere } from './events.ts';
import { grantsOfBrain } from './grants-of-brain.ts';
import { connectedClientResource } from './ids.ts';
import { endConnectedClient } from './operations/end-connected-client.ts';
import { listConnectedClients } from './operations/list-connected-clients.ts';
import { updateConnectedClient } from './operations/update-connected-client.ts';
import { dropOldGrants, endGrantsOfPerson } from './store/grants.ts';
import { dropExpired } from './store/requests.ts';
import { dropExpiredTokens } from './store/tokens.ts';
import { createNotifyDisconnected, createNotifyClientUse } from './clients/notify-person.ts';

const dayMs = 86_400_000;

/** Clients that people connect by OAuth. */
export const oauthServerModule = defineModule<Ground>({
  name: 'oauth-server',
  resources: [connectedClientResource],
  events: [clientDisconnected, clientUsedElsewhere],
  dependents: [grantsOfBrain],
  async tidy(db, at) {
    const before = (days: number) => new Date(at.getTime() - days * dayMs);
    await dropExpiredTokens(db, at);
    await dropOldGrants(db, { unusedSince: before(1), endedBefore: before(90) });
    await dropExpired(db);
  },
  endPerson: endGrantsOfPerson,
  operations: () => [listConnectedClients, updateConnectedClient, endConnectedClient],
  work(ground) {
    const { mail } = ground;
    if (!mail) return {};
    return {
      subscribers: [
        runAfterEvents([clientDisconnected], 'oauth-server.tell-person', createNotifyDisconnected(ground, mail)),
        runAfterEvents([clientUsedElsewhere], 'oauth-server.tell-of-client', createNotifyClientUse(ground, mail)),
      ],
    };
  },
});
