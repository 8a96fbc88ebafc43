import type { Rule } from '../actions/policy-requests.ts';

/** Which actions an agent may draft with its key. The rules of the workspace apply as well. */
export const keyRules: readonly { id: string; label: string; rules: readonly Rule[] }[] = [
  { id: 'all', label: 'Follow workspace rules', rules: [] },
  {
    id: 'safe',
    label: 'Safe actions only, such as labels and archiving',
    rules: [
      { effect: 'allow', is_safe: true },
      { effect: 'block', risks: ['write', 'destructive'], note: 'This key allows safe actions only.' },
    ],
  },
  {
    id: 'person',
    label: 'Always ask a person',
    rules: [{ effect: 'require_human', risks: ['write', 'destructive'], note: 'This key always asks a person.' }],
  },
  {
    id: 'none',
    label: 'Read-only',
    rules: [{ effect: 'block', risks: ['write', 'destructive'], note: 'This key is read-only.' }],
  },
];
