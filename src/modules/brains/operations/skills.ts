import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { agentId, brainId, skillId } from '../ids.ts';
import type { ReadLimits } from '../limits.ts';
import { changeSkillAssignment, placing } from '../change-skill-assignment.ts';
import {
  addSkill,
  changeSkill,
  checkMayChange,
  checkMayWrite,
  getSkillHolder,
  listLibrarySkills,
  present,
  skillContent,
  skillName,
  listActiveSkills,
  skillSummary,
  filterVisibleSkills,
} from '../skills.ts';
import { findSkill, findVersion, listVersions, type Skill } from '../store/skills.ts';
import { changesKnowledge, suggest, suggestionOutput, suggestPlacing } from '../suggestions.ts';

const actions = ['list', 'load', 'versions', 'save', 'assign', 'unassign', 'enable', 'disable'] as const;

const input = z.strictObject({
  action: z.enum(actions).default('list'),
  skill_id: skillId.optional(),
  name: skillName.optional().describe('The name, instead of skill_id. With save: the new name.'),
  content: skillContent.optional(),
  version: z.number().int().min(1).max(1_000_000).optional().describe('With load: an earlier version.'),
  brain_id: brainId.optional().describe('With list: the skills of this brain. Otherwise: where the skill is assigned.'),
  agent_id: agentId.optional(),
  library: z.boolean().default(false).describe('With list: the whole library instead of the skills that apply to you.'),
});
type Input = z.output<typeof input>;

const output = z.object({
  skills: z.array(skillSummary).optional(),
  skill: skillSummary
    .extend({
      content: z.string(),
      source_document_id: z
        .uuid()
        .nullable()
        .describe(
          'The document that it was made from, for read_document. Null if there is none, or if it was deleted.',
        ),
    })
    .optional(),
  versions: z
    .array(
      z.object({
        version: z.number().int(),
        saved_by: z.string(),
        saved_by_person: z.string().nullable(),
        created_at: z.iso.datetime(),
      }),
    )
    .optional(),
  suggestion: suggestionOutput,
});
type Answer = z.output<typeof output>;

/** What each action does. */
type SkillAction = (ctx: Context, given: Input, readLimits: ReadLimits) => Promise<Answer>;

const runs: Record<(typeof actions)[number], SkillAction> = {
  async list(ctx, { brain_id, library: isWhole }) {
    return { skills: isWhole ? await listLibrarySkills(ctx) : await listActiveSkills(ctx, brain_id) };
  },
  async load(ctx, given) {
    const skill = await readVisibleSkill(ctx, given);
    if (given.version === undefined) return presentWholeSkill(ctx, skill);
    const version = await findVersion(ctx.db, skill.id, given.version);
    if (!version) throw createNotFoundError('version of this skill');
    return presentWholeSkill(ctx, { ...skill, content: version.content, version: version.version });
  },
  async versions(ctx, given) {
    const versions = await listVersions(ctx.db, (await readVisibleSkill(ctx, given)).id);
    return {
      versions: versions.map(({ version, saved_by_label, person_name, created_at }) => ({
        version,
        saved_by: saved_by_label,
        saved_by_person: person_name,
        created_at: created_at.toISOString(),
      })),
    };
  },
  async save(ctx, given, readLimits) {
    checkMayWrite(ctx);
    const { skill_id, name, content } = given;
    const known = await findVisibleSkill(ctx, given);
    if (known) return presentWholeSkill(ctx, await changeSkill(ctx, known, { name, content }));
    if (skill_id || !name || !content) throw createNoContentError();
    return presentWholeSkill(ctx, await addSkill(ctx, readLimits, { name, content }));
  },
  assign: changeAssignment,
  unassign: changeAssignment,
  enable: changeAssignment,
  disable: changeAssignment,
};

export function createSkillsOperation(readLimits: ReadLimits) {
  return defineOperation({
    name: 'skills',
    summary:
      "List the skills that apply to you, and load the one for the task. It also saves, versions and assigns skills; an agent's change is a suggestion.",
    toolset: 'memory',
    effect: 'write',
    access: { scope: 'brains:read', also: [{ ...changesKnowledge, when: (_ctx, { action }) => isChange(action) }] },
    input,
    output,
    errors: ['not_found', 'forbidden', 'invalid_input', 'conflict', 'plan_limit'],
    examples: [
      { title: 'Which skills apply?', input: {} },
      { title: 'Load one of them', input: { action: 'load', skill_id: createExampleId('skill') } },
    ],
    run: (ctx, given) => runs[given.action](ctx, given, readLimits),
    suggest: async (ctx, given) => ({ suggestion: await suggestChange(ctx, given) }),
  });
}

/** Finds a visible skill by id or name. */
async function findVisibleSkill(ctx: Context, { skill_id, name }: Input): Promise<Skill | undefined> {
  if (!skill_id && !name) throw new AppError('invalid_input', 'Name the skill by skill_id or by name.');
  const skill = await findSkill(ctx.db, skill_id ? { id: skill_id } : { name: name ?? '' });
  return skill && (await filterVisibleSkills(ctx.db, [skill.id], ctx.caller)).length ? skill : undefined;
}

async function readVisibleSkill(ctx: Context, given: Input): Promise<Skill> {
  const skill = await findVisibleSkill(ctx, given);
  if (!skill) throw createNotFoundError('skill');
  return skill;
}

/** Changes the assignments of a skill, and returns it. */
async function changeAssignment(ctx: Context, given: Input): Promise<Answer> {
  checkMayWrite(ctx);
  const skill = await readVisibleSkill(ctx, given);
  await changeSkillAssignment(ctx, skill.id, getSkillHolder(given), placing.parse({ action: given.action }));
  return presentWholeSkill(ctx, skill);
}

function isChange(action: Input['action']): boolean {
  return action === 'save' || placing.shape.action.safeParse(action).success;
}

async function suggestChange(ctx: Context, given: Input): Promise<Answer['suggestion']> {
  checkMayWrite(ctx);
  if (given.action !== 'save') {
    const skill = await readVisibleSkill(ctx, given);
    return suggestPlacing(ctx, skill.id, getSkillHolder(given), placing.parse({ action: given.action }));
  }
  const { skill_id, name, content } = given;
  const known = await findVisibleSkill(ctx, given);
  if (known) checkMayChange(ctx, known);
  else if (skill_id || !name || !content) throw createNoContentError();
  const input = { ...(name && { name }), ...(content && { content }) };
  return suggest(ctx, { kind: 'save_skill', brainId: null, skillId: known?.id ?? null, input });
}

function createNoContentError(): AppError {
  return new AppError('invalid_input', 'A new skill needs a name and its content.');
}

async function presentWholeSkill(ctx: Context, skill: Skill): Promise<Answer> {
  const [listed] = (await listLibrarySkills(ctx)).filter(({ skill_id }) => skill_id === skill.id);
  const { content, source_document_id } = skill;
  return { skill: { ...present(skill, []), assigned_to: listed?.assigned_to ?? [], content, source_document_id } };
}
