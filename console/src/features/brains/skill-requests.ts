import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type Assignment = {
  brain_id: string | null;
  brain_name: string | null;
  agent_id: string | null;
  is_enabled: boolean;
};

export type Skill = {
  skill_id: string;
  name: string;
  description: string;
  version: number;
  assigned_to: Assignment[];
};

type SkillVersion = { version: number; saved_by: string; created_at: string };

/** The skills in force on a brain: its own, and those of the brains above. */
export function skillsInForceQuery(brainId: string) {
  return queryOptions({
    queryKey: ['brains', 'skills', 'in force', brainId],
    queryFn: ({ signal }) => call<{ skills: Skill[] }>('skills', { brain_id: brainId }, { signal }),
    select: (answer) => answer.skills,
  });
}

/** Every skill of the workspace, with where each is assigned. */
export const skillLibraryQuery = queryOptions({
  queryKey: ['brains', 'skills', 'library'],
  queryFn: ({ signal }) => call<{ skills: Skill[] }>('skills', { library: true }, { signal }),
  select: (answer) => answer.skills,
});

/** What a skill says; an earlier version when one is asked for. */
export function skillQuery(skillId: string, version: number | undefined) {
  const input = { action: 'load', skill_id: skillId, ...(version !== undefined && { version }) };
  return queryOptions({
    queryKey: ['brains', 'skills', 'one', input],
    queryFn: ({ signal }) => call<{ skill: Skill & { content: string } }>('skills', input, { signal }),
    select: (answer) => answer.skill,
  });
}

export function skillVersionsQuery(skillId: string) {
  return queryOptions({
    queryKey: ['brains', 'skills', 'versions', skillId],
    queryFn: ({ signal }) =>
      call<{ versions: SkillVersion[] }>('skills', { action: 'versions', skill_id: skillId }, { signal }),
    select: (answer) => answer.versions,
  });
}

export function createSkill(skill: { name: string; content: string }): Promise<{ skill_id: string; name: string }> {
  return call('create_skill', skill);
}

export function saveSkill(input: { skill_id: string; content: string }): Promise<{ skill: Skill }> {
  return call('skills', { action: 'save', ...input });
}

export type Placing = { action: 'assign' | 'unassign' | 'enable' | 'disable'; skill_id: string; brain_id: string };

/** Assigns a skill to a brain or takes it off, or turns it on or off there. */
export function placeSkill(placing: Placing): Promise<{ skill: Skill }> {
  return call('skills', placing);
}
