import type { Rule } from '../actions/policy-requests.ts';

/** What an agent may be let write with its key; the workspace's policy holds beside it. */
export const keyRules: readonly { id: string; label: string; rules: readonly Rule[] }[] = [
  { id: 'all', label: 'Anything the policy lets it', rules: [] },
  {
    id: 'safe',
    label: 'Only what is safe, such as labels and archiving',
    rules: [
      { effect: 'allow', is_safe: true },
      { effect: 'block', risks: ['write', 'destructive'], note: 'This key writes only what is safe.' },
    ],
  },
  {
    id: 'person',
    label: 'Anything, with a person’s yes to each',
    rules: [{ effect: 'require_human', risks: ['write', 'destructive'], note: 'This key writes with a person’s yes.' }],
  },
  {
    id: 'none',
    label: 'Nothing: it reads and remembers',
    rules: [{ effect: 'block', risks: ['write', 'destructive'], note: 'This key writes nothing outside.' }],
  },
];
