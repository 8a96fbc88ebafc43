import type { Rule } from '#kernel/rule';

/** This number of recipients counts as many. */
export const many = 10;

/** The rules that apply where no rule of a workspace matches; the last one matches everything. */
export const defaultRules: readonly Rule[] = [
  { effect: 'allow', risks: ['read'], note: 'Reading changes nothing.' },
  { effect: 'require_human', risks: ['destructive'], note: 'It deletes something, or changes who has access.' },
  { effect: 'require_human', more_recipients_than: many, note: `It reaches more than ${many} people.` },
  { effect: 'require_approval', note: 'Others will see it.' },
];
