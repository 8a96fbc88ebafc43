import type { Db } from '#kernel/database';
import type { BrainContents, BrainDependent } from './contents.ts';
import type { ReadLimits } from './limits.ts';
import { addCoreKnowledge } from './operations/add-core-knowledge.ts';
import { assignSkill } from './operations/assign-skill.ts';
import { changeMemberAccess } from './operations/change-member-access.ts';
import { createBrain } from './operations/create-brain.ts';
import { createSkill } from './operations/create-skill.ts';
import { deleteBrain } from './operations/delete-brain.ts';
import { exportBrain } from './operations/export-brain.ts';
import { inviteMember } from './operations/invite-member.ts';
import { listBrains } from './operations/list-brains.ts';
import { listCoreKnowledge } from './operations/list-core-knowledge.ts';
import { listMembers } from './operations/list-members.ts';
import { removeCoreKnowledge } from './operations/remove-core-knowledge.ts';
import { removeMember } from './operations/remove-member.ts';
import { skills } from './operations/skills.ts';
import { updateBrain } from './operations/update-brain.ts';
import type { People } from './people.ts';
import { brainLine } from './store/brains.ts';
import { coreKnowledgeContents } from './store/core-knowledge.ts';
import { invitationContents } from './store/invitations.ts';
import { memberContents } from './store/members.ts';
import { skillContents } from './store/skills.ts';

export { brainAccess, readableBrains } from './access.ts';
export { exportLine, idCursor, type BrainContents, type BrainDependent } from './contents.ts';
export { coreKnowledgeInForce, coreKnowledgeOutput } from './core-knowledge.ts';
export { brainId, brainResource, coreKnowledgeResource, memberResource, skillResource } from './ids.ts';
export type { Limits } from './limits.ts';
export { createPersonalBrain } from './new-brain.ts';
export { skillsInForce, skillSummary } from './skills.ts';
export type { People, Person } from './people.ts';
export { acceptInvitations, holdAddress, isInvited } from './store/invitations.ts';
export { findBrains, languageOf, lineageOf, personalBrainOf, type Brain } from './store/brains.ts';

/** What brains need of the modules above them. */
export type BrainOptions = {
  readLimits: ReadLimits;
  people: People;
  /** How many memories each brain holds that were not archived. */
  countMemories: (db: Db, brainIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** What other modules keep in brains. */
  contents: readonly BrainContents[];
  /** What other modules have to do before a brain goes. */
  dependents: readonly BrainDependent[];
};

/** What callers can do with brains. */
export function brainOperations({ readLimits, people, countMemories, contents, dependents }: BrainOptions) {
  const own = [memberContents, invitationContents, coreKnowledgeContents, skillContents];
  return [
    createBrain(readLimits),
    updateBrain(readLimits),
    listBrains(countMemories),
    exportBrain([brainLine, ...own, ...contents]),
    inviteMember({ people, readLimits }),
    listMembers,
    changeMemberAccess,
    removeMember,
    listCoreKnowledge,
    addCoreKnowledge,
    removeCoreKnowledge,
    skills(readLimits),
    createSkill(readLimits),
    assignSkill,
    deleteBrain({ contents: [...own, ...contents], dependents }),
  ];
}
