import { AppError } from '#kernel/errors';
import type { Rule } from '#kernel/rule';
import type { ActionRegistry } from '../registry.ts';

/** Throws `invalid_input` for rules that could match nothing: a block that blocks nothing must not look as if it did. */
export function checkRules(rules: readonly Rule[], registry: ActionRegistry): void {
  const sources = new Set(registry.all().map(({ source }) => source));
  const actions = new Set(['read', ...registry.all().map(({ name }) => name)]);
  for (const [index, rule] of rules.entries()) {
    const fault = faultOf(rule, { sources, actions });
    if (fault) throw new AppError('invalid_input', `Rule ${index + 1} would match nothing. ${fault}`);
  }
}

function faultOf(rule: Rule, known: { sources: ReadonlySet<string>; actions: ReadonlySet<string> }): string | null {
  const action = rule.actions?.find((name) => !known.actions.has(name));
  if (action !== undefined) return `actions: there is no ${action}. Known: ${[...known.actions].join(', ')}.`;
  const source = rule.sources?.find((name) => !known.sources.has(name) && known.sources.has(name.toLowerCase()));
  if (source !== undefined) return `sources: ${source} is called ${source.toLowerCase()}.`;
  for (const field of ['any_recipient', 'every_recipient'] as const) {
    const pattern = rule[field];
    if (pattern !== undefined && !/^\*$|[^@]@|\*.*@|\*$/.test(pattern))
      return `${field}: ${pattern} is no address. Of a whole domain write *@${pattern.replace(/^@/, '')}.`;
  }
  if (rule.target?.startsWith('#')) return `target: write channel ${rule.target.slice(1)}, as the preview names it.`;
  return null;
}
