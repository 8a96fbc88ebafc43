// The fields of an upgrade in words.

type Rule = { pattern: RegExp; describe: (first: string, second: string) => string };

/** Paths as `check_recipe_upgrade` answers them. */
const rules: readonly Rule[] = [
  { pattern: /^automations\.(.+?)\.(.+)$/s, describe: (name, rest) => `Automation ${name}: ${describeField(rest)}` },
  { pattern: /^automations\.(.+)$/s, describe: (name) => `Automation ${name}` },
  { pattern: /^datasets\.(.+)\.columns\.(.+)$/s, describe: (dataset, column) => `Column ${column} of ${dataset}` },
  { pattern: /^datasets\.(.+)\.columns$/s, describe: (dataset) => `Columns of ${dataset}` },
  { pattern: /^datasets\.(.+)$/s, describe: (dataset) => `Dataset ${dataset}` },
  { pattern: /^skills\.(.+)$/s, describe: (skill) => `Skill ${skill}` },
  { pattern: /^kpis\.(.+)\.(\w+)$/s, describe: (kpi, part) => `KPI ${kpi}: ${part}` },
  { pattern: /^kpis\.(.+)$/s, describe: (kpi) => `KPI ${kpi}` },
  { pattern: /^deadlines\.(.+)\.(\w+)$/s, describe: (deadline, part) => `Deadline ${deadline}: ${part}` },
  { pattern: /^deadlines\.(.+)$/s, describe: (deadline) => `Deadline ${deadline}` },
  { pattern: /^tool_grants\.(.+)$/s, describe: (tool) => `May call ${tool}` },
  { pattern: /^hosts\.(.+)$/s, describe: (host) => `May reach ${host}` },
  { pattern: /^settings\.(.+)$/s, describe: (setting) => `Setting ${setting}` },
  { pattern: /^dashboard\.(.+)$/s, describe: (part) => `Dashboard: ${part}` },
];

const labels: Readonly<Record<string, string>> = {
  code: 'Source',
  cost_cap_daily_usd: 'Cost a day, US dollars',
  max_llm_tokens: 'Tokens a run',
  max_wall_seconds: 'Seconds a run',
  max_retries: 'Retries',
  overlap: 'While it runs already',
  triggers: 'Starts',
  write_policy: 'Actions',
};

/** A field of a difference, such as “Column email of people”. */
export function describeField(path: string): string {
  for (const { pattern, describe } of rules) {
    const [, first, second] = pattern.exec(path) ?? [];
    if (first !== undefined) return describe(first, second ?? '');
  }
  return labels[path] ?? `${path.charAt(0).toUpperCase()}${path.slice(1).replaceAll(/[._]/g, ' ')}`;
}

/** A source with its language. */
export type Code = { source: string; language: string };

export function isCode(value: unknown): value is Code {
  return typeof value === 'object' && value !== null && 'source' in value && typeof value.source === 'string';
}

/** A value as text. Undefined: it is not there. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(formatValue).join('; ') || 'none';
  const parts = Object.entries(value).filter(([name, part]) => name !== 'name' && part !== null);
  return parts.map(([name, part]) => `${name}: ${formatValue(part)}`).join(', ') || 'none';
}
