import type { Automation } from './requests.ts';
import { grantText, triggerText } from './words.ts';

export type SettingChange = { name: string; from: unknown; to: unknown };

/** Settings that differ, each with the value before and the value now. */
export function SettingChanges({ of: changes }: { of: readonly SettingChange[] }) {
  if (!changes.length) return null;
  return (
    <dl className="space-y-2 text-sm">
      {changes.map(({ name, from, to }) => (
        <div key={name}>
          <dt className="text-soft">{getSettingLabel(name)}</dt>
          <dd className="wrap-anywhere">
            <del className="text-soft">{formatSettingValue(name, from)}</del>
            <span aria-hidden> → </span>
            <ins className="font-medium no-underline">{formatSettingValue(name, to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const labels: Readonly<Record<string, string>> = {
  acknowledged_http_fetch_hosts: 'Hosts it may reach',
  cost_cap_daily_usd: 'Cost a day, US dollars',
  max_llm_tokens: 'Tokens a run',
  max_retries: 'Retries',
  settings: 'Settings',
  max_wall_seconds: 'Seconds a run',
  overlap: 'While it runs already',
  tool_grants: 'May call',
  triggers: 'Starts',
  write_policy: 'Actions',
};

function getSettingLabel(name: string): string {
  return labels[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

function formatSettingValue(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => formatSettingPart(name, each)).join('; ') || 'none';
  if (typeof value === 'object' && value !== null)
    return (
      Object.entries(value)
        .map((pair) => pair.join(': '))
        .join('; ') || 'none'
    );
  return value === '' ? 'empty' : String(value);
}

function formatSettingPart(name: string, part: unknown): string {
  if (name === 'tool_grants') return grantText(part as Automation['tool_grants'][number]); // as the server answers it
  return name === 'triggers' ? triggerText(part as Record<string, unknown>) : String(part);
}
