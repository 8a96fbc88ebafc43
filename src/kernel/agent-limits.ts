import type { Rule } from './rule.ts';

/**
 * A person's choices about an agent's drafts, for a key or a connected client. The rules of the workspace apply as
 * well.
 */
export const agentLimits: readonly { id: string; label: string; rules: readonly Rule[] }[] = [
  { id: 'all', label: 'Follow workspace rules', rules: [] },
  {
    id: 'safe',
    label: 'Safe actions only, such as labels and archiving',
    rules: [
      { effect: 'allow', is_safe: true },
      { effect: 'block', risks: ['write', 'destructive'], note: 'This agent may draft safe actions only.' },
    ],
  },
  {
    id: 'person',
    label: 'Always ask a person',
    rules: [{ effect: 'require_human', risks: ['write', 'destructive'], note: 'This agent always asks a person.' }],
  },
  {
    id: 'none',
    label: 'Read-only',
    rules: [{ effect: 'block', risks: ['write', 'destructive'], note: 'This agent is read-only.' }],
  },
];
