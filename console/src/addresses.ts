import type { WayName } from './features/accounts/connect-page.tsx';
import type { MemoryAddress } from './features/memory/memory-filters.tsx';
import type { SignInAddress } from './features/accounts/sign-in-page.tsx';
import { tabNames, type BrainAddress } from './features/brains/tab-names.ts';
import type { DocumentAddress } from './features/documents/document-page.tsx';
import type { ContradictionsAddress } from './features/memory/contradictions-page.tsx';
import type { DuplicatesAddress } from './features/memory/duplicates-page.tsx';
import type { GraphAddress } from './features/memory/graph-page.tsx';
import { memoryTypes, saliences } from './features/memory/requests.ts';
import { usagePeriods, type UsageAddress } from './features/usage/usage-periods.ts';
import { connectorTabs, eventFilters, type ConnectorAddress } from './features/webhooks/address.ts';
import { periods, type PagesAddress } from './features/pages/pages-address.ts';

const wayNames: readonly WayName[] = ['url', 'key'];

type Search = Record<string, unknown>;

/** Search parameters of the memory page. Unknown ones are dropped. */
export function memoryAddress(search: Search): MemoryAddress {
  return {
    q: textOf(search['q']),
    brain: textOf(search['brain']),
    type: memoryTypes.find((type) => type === search['type']),
    salience: saliences.find((salience) => salience === search['salience']),
    source: textOf(search['source']),
    author: textOf(search['author']),
    since: textOf(search['since']),
    until: textOf(search['until']),
    memory: textOf(search['memory']),
  };
}

/** Search parameters of the duplicates page. */
export function duplicatesAddress(search: Search): DuplicatesAddress {
  return { brain: textOf(search['brain']), memory: textOf(search['memory']) };
}

/** Search parameters of the contradictions page. */
export function contradictionsAddress(search: Search): ContradictionsAddress {
  return { ...duplicatesAddress(search), hidden: search['hidden'] === true || undefined };
}

/** Search parameters of a document. */
export function documentAddress(search: Search): DocumentAddress {
  const line = Number(search['line']);
  return { line: Number.isSafeInteger(line) && line > 0 ? line : undefined };
}

/** Search parameters of the graph. */
export function graphAddress(search: Search): GraphAddress {
  return {
    brain: textOf(search['brain']),
    constellation: textOf(search['constellation']),
    view: search['view'] === 'list' ? 'list' : undefined,
    memory: textOf(search['memory']),
  };
}

/** Search parameters of the brains page. */
export function brainAddress(search: Search): BrainAddress {
  return {
    tab: tabNames.find((tab) => tab === search['tab']),
    days: search['days'] === 30 ? 30 : undefined,
    below: search['below'] === true || undefined,
    memory: textOf(search['memory']),
  };
}

/** Search parameters of the pages reader. */
export function pagesAddress(search: Search): PagesAddress {
  return {
    q: textOf(search['q']),
    source: textOf(search['source']),
    type: textOf(search['type']),
    when: periods.find((when) => when === search['when']),
    file: textOf(search['file']),
  };
}

/** Search parameters of the usage page. */
export function usageAddress(search: Search): UsageAddress {
  return { period: usagePeriods.find((period) => period === search['period']) };
}

/** Search parameters that the server adds when a person returns from a provider. */
export function connectionAddress(search: Search): { connected?: string | undefined; error?: string | undefined } {
  return { connected: textOf(search['connected']), error: textOf(search['error']) };
}

/** Search parameters of the connect page: the client and its way to connect. */
export function clientAddress(search: Search): { client?: string | undefined; with?: WayName | undefined } {
  return { client: textOf(search['client']), with: wayNames.find((way) => way === search['with']) };
}

/** Search parameters of a webhook connector. */
export function connectorAddress(search: Search): ConnectorAddress {
  return {
    part: connectorTabs.find((part) => part === search['part']),
    filter: eventFilters.find((filter) => filter === search['filter']),
    q: textOf(search['q']),
    event: textOf(search['event']),
  };
}

/** The agent whose drawer is open. */
export function agentAddress(search: Search): { agent?: string | undefined } {
  return { agent: textOf(search['agent']) };
}

/**
 * Search parameters of signing in: the page to return to, the workspace, and whether a provider's account was rejected.
 */
export function signInAddress(search: Search): SignInAddress {
  return {
    back: ownPath(search['back']),
    workspace: textOf(search['workspace']),
    refused: search['refused'] === true || undefined,
  };
}

/** The page to return to after a person has proved who they are. */
export function proveAddress(search: Search): { back: string } {
  return { back: ownPath(search['back']) ?? '/' };
}

/** A path of this console. A forged link could name another site. */
function ownPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || /[\p{Cc}\p{Cf}\\]/u.test(value)) return undefined;
  return new URL(value, location.origin).origin === location.origin ? value : undefined;
}

/** A text that is not empty. The router reads bare numbers as numbers. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
}
