// Checks that rules name existing sources and actions: a rule that matches nothing must not look effective.
import { AppError } from './errors.ts';
import type { Module } from './module.ts';
import type { Rule } from './rule.ts';

/** The names that rules can use. */
export type RuleNames = { sources: readonly string[]; actions: readonly string[] };

/** The names that rules can use: the sources and actions of all modules. */
export function listRuleNames(modules: readonly Pick<Module<never>, 'actions' | 'reads'>[]): RuleNames {
  const actions = modules.flatMap((each) => each.actions?.all ?? []);
  const sources = [...actions.map(({ source }) => source), ...modules.flatMap(({ reads }) => reads ?? [])];
  return {
    sources: [...new Set(sources)].toSorted(),
    actions: ['read', ...new Set(actions.map(({ name }) => name))],
  };
}

/** Throws `invalid_input` for rules that cannot match anything, and lists the existing names. */
export function checkRules(rules: readonly Rule[], names: RuleNames): void {
  for (const [index, rule] of rules.entries()) {
    const error = findRuleError(rule, names);
    if (error) throw new AppError('invalid_input', `Rule ${index + 1} would match nothing. ${error}`);
  }
}

function findRuleError(rule: Rule, { sources, actions }: RuleNames): string | null {
  const action = rule.actions?.find((name) => !actions.includes(name));
  if (action !== undefined) return `actions: there is no ${action}. Known: ${actions.join(', ')}.`;
  const source = rule.sources?.find((name) => !sources.includes(name));
  if (source !== undefined) return `sources: there is no ${source}. Known: ${sources.join(', ')}.`;
  for (const field of ['any_recipient', 'every_recipient'] as const) {
    const pattern = rule[field];
    if (pattern !== undefined && !/^\*$|[^@]@|\*[^@*]*@|\*$/.test(pattern))
      return `${field}: ${pattern} is not an address. For a whole domain write *@${pattern.replace(/^@/, '')}.`;
  }
  if (rule.target?.startsWith('#')) return `target: write channel ${rule.target.slice(1)}, as the preview names it.`;
  return null;
}
