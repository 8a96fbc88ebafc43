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
  const limits = Object.entries(params).map(
    ([name, value]) => `${name} ${name.startsWith('max_') ? '≤' : '='} ${shortenValue(value)}`,
  );
  return limits.length ? `${tool}, only with ${limits.join(', ')}` : tool;
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
