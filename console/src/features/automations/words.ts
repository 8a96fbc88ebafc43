import type { Automation, AutomationRun } from './requests.ts';

/** A trigger in words. */
export function triggerText(trigger: Record<string, unknown>): string {
  if (trigger['kind'] === 'cron') return `On schedule ${String(trigger['cron'])} (${String(trigger['tz'])})`;
  return triggerWords[String(trigger['kind'])] ?? String(trigger['kind']);
}

const triggerWords: Record<string, string> = {
  page_ingested: 'When new pages arrive',
  board_change: 'When a board changes',
  webhook: 'When its webhook address is called',
  manual: 'By hand',
};

export const languageText: Record<Automation['language'], string> = {
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
};

/** A grant in words. */
export function grantText({ tool, params = {} }: Automation['tool_grants'][number]): string {
  const { reads, ...values } = params;
  const limits = Object.entries(values).map(
    ([name, value]) => `${name} ${name.startsWith('max_') ? '≤' : '='} ${shortenValue(value)}`,
  );
  const limited = limits.length ? `${tool}, only with ${limits.join(', ')}` : tool;
  return [limited, ...(Array.isArray(reads) ? reads.map(readText) : [])].join('. ');
}

/** An endpoint that is declared as read by POST, in words. */
export function readText({ url, graphql }: Automation['accepted_reads'][number]): string {
  const what = graphql === undefined ? 'anything the script sends there' : `this query: ${graphql}`;
  return `POST to ${url} counts as reading and leaves without asking you (${what})`;
}

/** Endpoints that an automation declares and nobody accepted for its present source: a POST there is drafted. */
export function listNewReads({ tool_grants, accepted_reads }: Automation): Automation['accepted_reads'] {
  const accepted = new Set(accepted_reads.map(readText));
  const declared = tool_grants.flatMap(({ params }) => (Array.isArray(params?.['reads']) ? params['reads'] : []));
  return (declared as Automation['accepted_reads']).filter((line) => !accepted.has(readText(line))); // checked when saved
}

function shortenValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const runTone: Record<AutomationRun['status'], 'plain' | 'go' | 'wait' | 'stop'> = {
  queued: 'plain',
  running: 'wait',
  succeeded: 'go',
  failed: 'stop',
  killed: 'stop',
};

export const statusText: Record<AutomationRun['status'], string> = {
  queued: 'Waiting',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  killed: 'Stopped',
};

export const modeText: Record<AutomationRun['mode'], string> = { live: 'Live', dry_run: 'Dry run', verify: 'Verify' };

const money = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });

export function formatCost(dollars: number): string {
  return money.format(dollars);
}
