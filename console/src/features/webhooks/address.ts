import type { EventFilter } from './requests.ts';

export const connectorTabs = ['events', 'translator', 'routes', 'setup'] as const;
export type ConnectorTab = (typeof connectorTabs)[number];
export const eventFilters = [
  'all',
  'success',
  'errors',
  'dropped',
  'draft',
  'signature_failed',
] as const satisfies readonly EventFilter[];

/** The state of a connector's page that its address holds. */
export type ConnectorAddress = {
  part?: ConnectorTab | undefined;
  filter?: EventFilter | undefined;
  q?: string | undefined;
  /** The event that is open beside the list. */
  event?: string | undefined;
};
