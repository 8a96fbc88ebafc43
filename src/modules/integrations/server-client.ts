import { memoizePerServer } from '#kernel/module';
import { getClients, getTokenSource } from '#modules/connections';
import type { Ground } from '#platform';
import { createProviderClient } from '#providers/http';

/** The server's client for all providers. */
export const providerClientOf = memoizePerServer((ground: Ground) =>
  createProviderClient({ egress: ground.egress, tokens: getTokenSource(ground), clients: getClients(ground) }),
);
