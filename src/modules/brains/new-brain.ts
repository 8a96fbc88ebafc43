import type { Db } from '#kernel/database';
import { insertBrain } from './store/brains.ts';

/** The name a brain is known by: it always ends in «Brain». */
export function brainName(name: string): string {
  return /\bbrain$/i.test(name) ? name : `${name} Brain`;
}

/** Makes the brain every person has for themself. Answers its id. */
export async function createPersonalBrain(
  db: Db,
  person: { workspaceId: string; personId: string; name: string; brainId: string; at: Date },
): Promise<string> {
  await insertBrain(db, {
    id: person.brainId,
    workspaceId: person.workspaceId,
    parentBrainId: null,
    name: `${person.name}'s Brain`,
    description: 'Personal memory: what matters to one person and fits no other brain.',
    routing_rules: '',
    language: 'en',
    personalTo: person.personId,
    createdBy: person.personId,
    at: person.at,
  });
  return person.brainId;
}
