import { queryOptions } from '@tanstack/react-query';
import type { Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Assignment = Skill['assigned_to'][number];

export type Skill = NonNullable<Output<'skills'>['skills']>[number];

/** The skills active on a brain: its own, and those of the brains above. */
export function buildSkillsInForceQuery(brainId: string) {
  return queryOptions({
    queryKey: ['brains', 'skills', 'active', brainId],
    queryFn: ({ signal }) => call('skills', { brain_id: brainId }, { signal }),
    select: (answer) => answer.skills ?? [],
  });
}

/** Every skill of the workspace, with where each is assigned. */
export const skillLibraryQuery = queryOptions({
  queryKey: ['brains', 'skills', 'library'],
  queryFn: ({ signal }) => call('skills', { library: true }, { signal }),
  select: (answer) => answer.skills ?? [],
});

/** The text of a skill, optionally of an earlier version. */
export function buildSkillQuery(skillId: string, version: number | undefined) {
  const input = { action: 'load' as const, skill_id: skillId, ...(version !== undefined && { version }) };
  return queryOptions({
    queryKey: ['brains', 'skills', 'one', input],
    queryFn: ({ signal }) => call('skills', input, { signal }),
    select: (answer) => answer.skill,
  });
}

export function buildSkillVersionsQuery(skillId: string) {
  return queryOptions({
    queryKey: ['brains', 'skills', 'versions', skillId],
    queryFn: ({ signal }) => call('skills', { action: 'versions', skill_id: skillId }, { signal }),
    select: (answer) => answer.versions ?? [],
  });
}

export function createSkill(skill: { name: string; content: string }): Promise<Output<'create_skill'>> {
  return call('create_skill', skill);
}

export function saveSkill(input: { skill_id: string; content: string }): Promise<Output<'skills'>> {
  return call('skills', { action: 'save', ...input });
}

export type SkillChange = { action: 'assign' | 'unassign' | 'enable' | 'disable'; skill_id: string; brain_id: string };

/** Assigns a skill to a brain or takes it off, or turns it on or off there. */
export function updateSkillAssignment(placing: SkillChange): Promise<Output<'skills'>> {
  return call('skills', placing);
}
