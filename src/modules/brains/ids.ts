import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { filterVisibleSkills } from './skills.ts';
import { findBrains } from './store/brains.ts';
import { locateItems } from './store/core-knowledge.ts';
import { locateMembers } from './store/members.ts';
import { locateSkills } from './store/skills.ts';
import { locateSuggestions } from './store/suggestions.ts';

export const brainId = itemId('brain').describe('Id of a brain, from `list_brains` or `load_brain`.');

/** People with a role on a brain see it. The kernel checks the role. */
export const brainResource = defineResource({
  kind: 'brain',
  noun: 'brain',
  async locate(db, ids) {
    return (await findBrains(db, ids)).map((brain) => ({ id: brain.id, brainId: brain.id }));
  },
});

export const memberId = itemId('member').describe('`user_id` of a member or of an invitation, from `list_members`.');

/** A person of the workspace. The operation itself checks that they are a member of the brain. */
export const memberResource = defineResource({
  kind: 'member',
  noun: 'member',
  async locate(db, ids) {
    return (await locateMembers(db, ids)).map((id) => ({ id, brainId: null }));
  },
});

export const coreKnowledgeId = itemId('core_knowledge').describe(
  'From `list_core_knowledge` of the brain that it was added to.',
);

/** Readers of its brain see an item of core knowledge. */
export const coreKnowledgeResource = defineResource({
  kind: 'core_knowledge',
  noun: 'active item of core knowledge',
  locate: locateItems,
});

export const skillId = itemId('skill').describe('Id of a skill, from `skills`.');
export const agentId = itemId('key').describe('The agent: the id of its key, from `list_keys`.');

/** All people of the workspace see a skill. A brain-scoped key sees the skills of its brain. */
export const skillResource = defineResource({
  kind: 'skill',
  noun: 'skill',
  async locate(db, ids, caller) {
    const there = await locateSkills(db, ids);
    return (await filterVisibleSkills(db, there, caller)).map((id) => ({ id, brainId: null }));
  },
});

export const suggestionId = itemId('suggestion').describe('Id of a suggestion, from `list_suggestions`.');

/** Readers of its brain see a suggestion. Without a brain, its person and administrators of the workspace see it. */
export const suggestionResource = defineResource({
  kind: 'suggestion',
  noun: 'suggestion',
  async locate(db, ids, caller) {
    const all = await locateSuggestions(db, ids);
    const visible = all.filter(
      ({ brain_id, suggested_by }) => brain_id || caller.role !== 'member' || suggested_by === caller.personId,
    );
    return visible.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
  },
});
