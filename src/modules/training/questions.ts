// Makes the question that a memory answers, from its fields.
type QuestionedMemory = {
  type: string;
  topics: readonly string[];
  content: string;
  triggers: readonly { condition: string }[];
};

const forms: Record<string, (about: string) => string> = {
  decision: (about) => `What was decided about ${about}?`,
  constraint: (about) => `Which rule applies to ${about}?`,
  preference: (about) => `What is preferred about ${about}?`,
  observation: (about) => `What was noticed about ${about}?`,
  fact: (about) => `What is known about ${about}?`,
};

/** A question that the memory answers. */
export function buildMemoryQuestion({ type, topics, content }: QuestionedMemory): string {
  const about = topics.slice(0, 3).join(', ') || content.split(/\s+/).slice(0, 6).join(' ');
  return (forms[type] ?? forms['fact']!)(about);
}

/** Situations in which the memory says how to act. */
export function listSituations(memory: QuestionedMemory): string[] {
  if (memory.triggers.length)
    return memory.triggers.map(
      ({ condition }) => `I am ${condition.replace(/[.!]$/, '')}. What should I keep in mind?`,
    );
  const about = memory.topics.slice(0, 3).join(', ') || 'this';
  return [`How should you act when it comes to ${about}?`];
}
