import type { MemoryType, Salience } from './memory-fields.ts';

/** What a text says that tells its type; the first rule that matches wins, so the more telling ones stand first. */
const typeRules: readonly { type: MemoryType; says: RegExp }[] = [
  {
    type: 'constraint',
    says: /\b(must(n't| not)?|never|always|do not|don't|shall not|required to|not allowed|forbidden|only if|at most|at least|limit(ed)? to)\b/i,
  },
  {
    type: 'decision',
    says: /\b(decided|chose|chosen|agreed|settled on|going with|we('| wi)ll use|picked|opted|switch(ed|ing) to|decision)\b/i,
  },
  {
    type: 'preference',
    says: /\b(prefers?|preferred|likes?|dislikes?|loves?|hates?|favou?rite|would rather|wants?)\b/i,
  },
  {
    type: 'observation',
    says: /\b(noticed|observed|seems?|appears?|looks like|saw|felt|trend(s|ing)?|suspect|probably|apparently)\b/i,
  },
];

/** What a text says that makes it matter more. */
const salienceRules: readonly { salience: Salience; says: RegExp }[] = [
  {
    salience: 'critical',
    says: /\b(critical(ly)?|never|under no circumstances|security|legal(ly)?|compliance|outage|data loss|breaking|urgent)\b/i,
  },
  {
    salience: 'elevated',
    says: /\b(important(ly)?|must|deadline|decided|agreed|chose|because|key|launch|blocked|risk)\b/i,
  },
];

/** The type a text tells by its words; a fact when nothing else does. */
export function inferType(content: string): MemoryType {
  return typeRules.find((rule) => rule.says.test(content))?.type ?? 'fact';
}

/** How much a text matters by its words. */
export function inferSalience(content: string): Salience {
  return salienceRules.find((rule) => rule.says.test(content))?.salience ?? 'normal';
}
