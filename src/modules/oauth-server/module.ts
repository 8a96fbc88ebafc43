import { defineModule, on } from '#kernel/module';
import { personRemoved } from '#modules/accounts';
import type { Ground } from '#platform';
import { now } from '#platform/clock';
import { clientDisconnected, clientUsedElsewhere } from './events.ts';
import { grantsOfBrain } from './grants-of-brain.ts';
import { connectedClientResource } from './ids.ts';
import { endConnectedClient } from './operations/end-connected-client.ts';
import { listConnectedClients } from './operations/list-connected-clients.ts';
import { updateConnectedClient } from './operations/update-connected-client.ts';
import { dropOldGrants, endGrantsOfPerson } from './store/grants.ts';
import { dropExpired } from './store/requests.ts';
import { dropExpiredTokens } from './store/tokens.ts';
import { createTellDisconnected, createTellOfClient } from './tell-person.ts';

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
  operations: () => [listConnectedClients, updateConnectedClient, endConnectedClient],
  work(ground) {
    const { mail, transactions } = ground;
    const endAll = on([personRemoved], 'oauth-server.end-grants', ({ person_id: id }, { workspaceId }) =>
      transactions.run(workspaceId, 'write', (db) => endGrantsOfPerson(db, id, now())),
    );
    if (!mail) return { subscribers: [endAll] };
    return {
      subscribers: [
        endAll,
        on([clientDisconnected], 'oauth-server.tell-person', createTellDisconnected(ground, mail)),
        on([clientUsedElsewhere], 'oauth-server.tell-of-client', createTellOfClient(ground, mail)),
      ],
    };
  },
});
