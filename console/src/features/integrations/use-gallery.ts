import { useQuery } from '@tanstack/react-query';
import { connectionsQuery, providersQuery } from '../connections/requests.ts';
import { integrationsQuery } from './requests.ts';
import { listGalleryEntries, type GalleryEntry } from './gallery-entries.ts';

/** All integrations, once the three queries are loaded. */
export function useGallery(): { entries: GalleryEntry[] | undefined; error: Error | null; refetch: () => void } {
  const queries = [useQuery(integrationsQuery), useQuery(providersQuery), useQuery(connectionsQuery)] as const;
  const [integrations, configs, connections] = queries;
  const isThere = integrations.data && configs.data && connections.data;
  return {
    entries: isThere ? listGalleryEntries(integrations.data, configs.data, connections.data) : undefined,
    error: queries.find(({ error }) => error)?.error ?? null,
    refetch: () => queries.forEach((query) => void query.refetch()),
  };
}
