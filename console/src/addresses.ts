import type { WayName } from './features/accounts/connect-page.tsx';
import type { MemoryAddress } from './features/memory/memory-filters.tsx';
import type { SignInAddress } from './features/accounts/sign-in-page.tsx';
import { tabNames, type BrainAddress } from './features/brains/tab-names.ts';
import type { DocumentAddress } from './features/documents/document-page.tsx';
import type { DuplicatesAddress } from './features/memory/duplicates-page.tsx';
import type { GraphAddress } from './features/memory/graph-page.tsx';
import { memoryTypes, saliences } from './features/memory/requests.ts';
import { usagePeriods, type UsageAddress } from './features/usage/usage-periods.ts';
import { connectorTabs, eventFilters, type ConnectorAddress } from './features/webhooks/address.ts';
import { periods, type PagesAddress } from './features/pages/pages-address.ts';

const wayNames: readonly WayName[] = ['url', 'key'];

type Search = Record<string, unknown>;

/** What may stand in the address of the memory page; anything else is left out. */
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

/** What may stand in the address of the duplicates. */
export function duplicatesAddress(search: Search): DuplicatesAddress {
  return { brain: textOf(search['brain']), memory: textOf(search['memory']) };
}

/** What may stand in the address of a document. */
export function documentAddress(search: Search): DocumentAddress {
  const line = Number(search['line']);
  return { line: Number.isSafeInteger(line) && line > 0 ? line : undefined };
}

/** What may stand in the address of the graph. */
export function graphAddress(search: Search): GraphAddress {
  return {
    brain: textOf(search['brain']),
    constellation: textOf(search['constellation']),
    view: search['view'] === 'list' ? 'list' : undefined,
    memory: textOf(search['memory']),
  };
}

/** What may stand in the address of the brains. */
export function brainAddress(search: Search): BrainAddress {
  return {
    tab: tabNames.find((tab) => tab === search['tab']),
    days: search['days'] === 30 ? 30 : undefined,
    below: search['below'] === true || undefined,
    memory: textOf(search['memory']),
  };
}

/** What may stand in the address of the reader of pages. */
export function pagesAddress(search: Search): PagesAddress {
  return {
    q: textOf(search['q']),
    source: textOf(search['source']),
    type: textOf(search['type']),
    when: periods.find((when) => when === search['when']),
    file: textOf(search['file']),
  };
}

/** What may stand in the address of the usage. */
export function usageAddress(search: Search): UsageAddress {
  return { period: usagePeriods.find((period) => period === search['period']) };
}

/** What the server adds to the address when a person comes back from a provider. */
export function connectionAddress(search: Search): { connected?: string | undefined; error?: string | undefined } {
  return { connected: textOf(search['connected']), error: textOf(search['error']) };
}

/** Which client the connect page shows, and in which way it connects. */
export function clientAddress(search: Search): { client?: string | undefined; with?: WayName | undefined } {
  return { client: textOf(search['client']), with: wayNames.find((way) => way === search['with']) };
}

/** What may stand in the address of a webhook connector. */
export function connectorAddress(search: Search): ConnectorAddress {
  return {
    part: connectorTabs.find((part) => part === search['part']),
    filter: eventFilters.find((filter) => filter === search['filter']),
    q: textOf(search['q']),
    event: textOf(search['event']),
  };
}

/** Whose drawer is open on the page of agents. */
export function agentAddress(search: Search): { agent?: string | undefined } {
  return { agent: textOf(search['agent']) };
}

/** Where a person was before signing in, which workspace they mean, and whether a provider's account was of no use. */
export function signInAddress(search: Search): SignInAddress {
  return {
    back: ownPath(search['back']),
    workspace: textOf(search['workspace']),
    refused: search['refused'] === true || undefined,
  };
}

/** Where a person goes on once they proved who they are. */
export function proveAddress(search: Search): { back: string } {
  return { back: ownPath(search['back']) ?? '/' };
}

/** A path of this console; never one of another site, which a forged link could name. */
function ownPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || /[\p{Cc}\p{Cf}\\]/u.test(value)) return undefined;
  return new URL(value, location.origin).origin === location.origin ? value : undefined;
}

/** A text that says something; the router reads bare numbers as numbers. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
}
