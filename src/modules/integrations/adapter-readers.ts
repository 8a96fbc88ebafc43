// How adapters ask services: through a linked account by a ruling about it, or as anybody, with the rules asked at each address.
import { memoizePerServer } from '#kernel/module';
import { getClients, type ConnectionRow } from '#modules/connections';
import type { ReadRuling } from '#modules/policy';
import type { Ground } from '#platform';
import { openAccountReader, openPublicReader, type AdapterReader, type PublicLink } from '#providers/kit';
import { createReaders } from './reader.ts';
import { providerClientOf } from './server-client.ts';

export type AdapterReaders = {
  openAccountReader(account: ConnectionRow, ruling: ReadRuling): AdapterReader;
  openPublicReader(link: PublicLink): AdapterReader;
};

/** The readers of a server. */
export const getAdapterReaders = memoizePerServer((ground: Ground): AdapterReaders => {
  const { egress, extraction } = ground;
  const createReader = createReaders(providerClientOf(ground), extraction);
  const clients = getClients(ground);
  return {
    openAccountReader(account, ruling) {
      const link = { workspaceId: account.workspace_id, connectionId: account.id, provider: account.provider };
      return openAccountReader((strict) => createReader(strict, account, ruling), link);
    },
    openPublicReader: (link) => openPublicReader({ egress, clients, extraction }, link),
  };
});
