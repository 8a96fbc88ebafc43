import type { Rule } from '#kernel/rule';

type Limit = { id: string; label: string; rules: readonly Rule[] };

/** What a person lets a client draft. The rules of the workspace apply as well; these only make them stricter. */
export const limits: readonly Limit[] = [
  { id: 'all', label: 'Actions that the workspace rules allow', rules: [] },
  {
    id: 'safe',
    label: 'Safe actions only, such as labels and archiving',
    rules: [
      { effect: 'allow', is_safe: true },
      { effect: 'block', risks: ['write', 'destructive'], note: 'This client may draft safe actions only.' },
    ],
  },
  {
    id: 'person',
    label: 'Actions that a person approves, each time',
    rules: [
      { effect: 'require_human', risks: ['write', 'destructive'], note: 'A person approves what this client drafts.' },
    ],
  },
  {
    id: 'none',
    label: 'Nothing',
    rules: [{ effect: 'block', risks: ['write', 'destructive'], note: 'This client may draft nothing.' }],
  },
];
