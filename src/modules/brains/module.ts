import type { Db } from '#kernel/database';
import { defineModule, listPortables } from '#kernel/module';
import type { Ground } from '#platform';
import { brainCreated, brainDeleted, brainUpdated, membersChanged } from './events.ts';
import { brainResource, coreKnowledgeResource, memberResource, skillResource, suggestionResource } from './ids.ts';
import type { ReadLimits } from './limits.ts';
import { acceptSuggestion } from './operations/accept-suggestion.ts';
import { addCoreKnowledge } from './operations/add-core-knowledge.ts';
import { assignSkill } from './operations/assign-skill.ts';
import { changeMemberAccess } from './operations/change-member-access.ts';
import { createBrain } from './operations/create-brain.ts';
import { createSkill } from './operations/create-skill.ts';
import { declineSuggestion } from './operations/decline-suggestion.ts';
import { deleteBrain } from './operations/delete-brain.ts';
import { exportBrain } from './operations/export-brain.ts';
import { inviteMember } from './operations/invite-member.ts';
import { listBrains } from './operations/list-brains.ts';
import { listCoreKnowledge } from './operations/list-core-knowledge.ts';
import { listMembers } from './operations/list-members.ts';
import { listSuggestions } from './operations/list-suggestions.ts';
import { removeCoreKnowledge } from './operations/remove-core-knowledge.ts';
import { removeMember } from './operations/remove-member.ts';
import { createSkillsOperation } from './operations/skills.ts';
import { updateBrain } from './operations/update-brain.ts';
import type { People } from './people.ts';
import { listPortableSkills } from './portable-skills.ts';
import { portableCoreKnowledge } from './portable.ts';
import { brainLine } from './store/brains.ts';
import { coreKnowledgeContents } from './store/core-knowledge.ts';
import { invitationContents } from './store/invitations.ts';
import { memberContents } from './store/members.ts';
import { skillContents } from './store/skills.ts';
import { suggestionContents } from './store/suggestions.ts';

/** What other modules provide to brains. */
type BrainsDependencies = {
  readLimits: ReadLimits;
  getPeople: (ground: Ground) => People;
  /** The number of unarchived memories of each brain. */
  countMemories: (db: Db, brainIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};

/** The tree of brains, their members, and what all members share. */
export const createBrainsModule = ({ readLimits, getPeople, countMemories }: BrainsDependencies) =>
  defineModule<Ground>({
    name: 'brains',
    resources: [brainResource, memberResource, coreKnowledgeResource, skillResource, suggestionResource],
    events: [brainCreated, brainUpdated, brainDeleted, membersChanged],
    contents: [memberContents, invitationContents, coreKnowledgeContents, skillContents, suggestionContents],
    portable: [portableCoreKnowledge, ...listPortableSkills(readLimits)],
    operations(ground) {
      const contents = ground.modules.flatMap((each) => each.contents ?? []);
      const dependents = ground.modules.flatMap((each) => each.dependents ?? []);
      return [
        createBrain(readLimits),
        updateBrain(readLimits),
        listBrains(countMemories),
        exportBrain([brainLine, ...contents], listPortables(ground)),
        inviteMember({ people: getPeople(ground), readLimits }),
        listMembers,
        changeMemberAccess,
        removeMember,
        listCoreKnowledge,
        addCoreKnowledge,
        removeCoreKnowledge,
        createSkillsOperation(readLimits),
        createSkill(readLimits),
        assignSkill,
        listSuggestions,
        acceptSuggestion(readLimits),
        declineSuggestion,
        deleteBrain({ contents, dependents }),
      ];
    },
  });
