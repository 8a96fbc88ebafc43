// The library of skills: visibility, changes, and assignments.
import { isAtLeast } from '#kernel/caller';
import type { Context } from '#kernel/context';
import type { Caller } from '#kernel/caller';
import { AppError, createNotFoundError } from '#kernel/errors';
import { z } from 'zod';
import { readBrainAccess } from './access.ts';
import { checkLimit, type ReadLimits } from './limits.ts';
import { listBrainLineage } from './store/brains.ts';
import {
  countSkills,
  lockLibrary,
  insertSkill,
  insertVersion,
  listAssignments,
  listSkills,
  renameSkill,
  type Assignment,
  type SkillHolder,
  type Skill,
} from './store/skills.ts';
import type { Db } from '#kernel/database';

export const skillName = z.string().trim().min(1).max(120);
export const skillContent = z
  .string()
  .trim()
  .min(1)
  .max(50_000)
  .describe('The instructions. Their first line says what the skill is for.');

/** A skill in a list. */
export const skillSummary = z.object({
  skill_id: z.uuid(),
  name: z.string(),
  description: z.string().describe('Its first line.'),
  version: z.number().int(),
  assigned_to: z.array(
    z.object({
      brain_id: z.uuid().nullable(),
      brain_name: z.string().nullable(),
      agent_id: z.uuid().nullable(),
      is_enabled: z.boolean(),
    }),
  ),
});
export type SkillSummary = z.output<typeof skillSummary>;

const longestDescription = 200;

/** A skill with its assignments among these. */
export function present(skill: Skill, assignments: readonly Assignment[]): SkillSummary {
  const [line = ''] = skill.content.split('\n', 1);
  return {
    skill_id: skill.id,
    name: skill.name,
    description: line
      .replace(/^[#\s]+/, '')
      .slice(0, longestDescription)
      .toWellFormed()
      .trim(),
    version: skill.version,
    assigned_to: assignments
      .filter(({ skill_id }) => skill_id === skill.id)
      .map(({ brain_id, brain_name, key_id, is_enabled }) => ({ brain_id, brain_name, agent_id: key_id, is_enabled })),
  };
}

/**
 * The active skills of the caller, each with its origin: those of a brain and its ancestors (or of every readable
 * brain), and those of the caller's key.
 */
export async function listActiveSkills(ctx: Context, brainId?: string): Promise<SkillSummary[]> {
  const { roles } = await ctx.brains();
  const brainIds = brainId
    ? (await listBrainLineage(ctx.db, brainId)).filter((id) => roles.has(id))
    : [...roles.keys()];
  const assignments = await listAssignments(ctx.db, { brainIds, keyIds: [ctx.caller.id] });
  const enabled = assignments.filter(({ is_enabled }) => is_enabled);
  const ids = [...new Set(enabled.map(({ skill_id }) => skill_id))];
  if (!ids.length) return [];
  return (await listSkills(ctx.db, ids)).map((skill) => present(skill, enabled));
}

/** Visible skills with their visible assignments: the library, or for a brain-scoped key the skills assigned to it. */
export async function listLibrarySkills(ctx: Context): Promise<SkillSummary[]> {
  const assignments = await listVisibleAssignments(ctx.db, ctx.caller);
  const visible = createVisibilityTest(ctx.caller, assignments);
  return (await listSkills(ctx.db)).filter(({ id }) => visible(id)).map((skill) => present(skill, assignments));
}

/** The visible ones of the ids. */
export async function filterVisibleSkills(db: Db, ids: readonly string[], caller: Caller): Promise<string[]> {
  if (caller.reach === 'owner') return [...ids];
  return ids.filter(createVisibilityTest(caller, await listVisibleAssignments(db, caller)));
}

function createVisibilityTest(caller: Caller, assignments: readonly Assignment[]): (skillId: string) => boolean {
  if (caller.reach === 'owner') return () => true;
  const ids = new Set(assignments.filter(({ is_enabled }) => is_enabled).map(({ skill_id }) => skill_id));
  return (skillId) => ids.has(skillId);
}

async function listVisibleAssignments(db: Db, caller: Caller): Promise<Assignment[]> {
  const { roles } = await readBrainAccess(db, caller);
  const keysOf = caller.reach === 'brain' ? undefined : caller.role === 'member' ? caller.personId : null;
  return listAssignments(db, {
    brainIds: [...roles.keys()],
    keyIds: [caller.id],
    ...(keysOf !== undefined && { keysOf }),
  });
}

/** Throws unless the caller may change skills and assignments, with a person's authority. */
export function checkMayWrite({ caller }: Context): void {
  if (caller.scopes.has('memory:write') && caller.reach === 'owner') return;
  throw new AppError(
    'forbidden',
    'Changing skills needs the scope memory:write and a person’s authority: the console, or a key with reach owner.',
    { scope: 'memory:write' },
  );
}

/** Adds a skill to the library. Throws `conflict` when it has one of this name. */
export async function addSkill(
  ctx: Context,
  readLimits: ReadLimits,
  { name, content, sourceDocumentId = null }: { name: string; content: string; sourceDocumentId?: string | null },
  byLabel = ctx.caller.label,
): Promise<Skill> {
  const limits = await readLimits(ctx);
  await lockLibrary(ctx.db);
  if (limits.skills !== null) checkLimit(limits, 'skills', (await countSkills(ctx.db)) + 1);
  const id = ctx.newId();
  const { workspaceId: workspace_id, personId: created_by } = ctx.caller;
  const made = { name, created_by, source_document_id: sourceDocumentId };
  if (!(await insertSkill(ctx.db, { id, ...made, workspace_id, at: ctx.now }))) throw createSkillNameTakenError(name);
  return saveVersion(ctx, { id, ...made, version: 0, updated_at: ctx.now, content }, byLabel);
}

/** Throws unless the caller is the author of the skill or an administrator of the workspace. */
export function checkMayChange({ caller }: Context, skill: Skill): void {
  if (skill.created_by === caller.personId || caller.role !== 'member') return;
  throw new AppError(
    'forbidden',
    'Only its creator or a workspace administrator may change a skill. Save your own instead.',
  );
}

/** Stores a new version of a skill, and optionally a new name. Throws unless the caller may. */
export async function changeSkill(
  ctx: Context,
  skill: Skill,
  change: { name?: string | undefined; content?: string | undefined },
  byLabel = ctx.caller.label,
): Promise<Skill> {
  checkMayChange(ctx, skill);
  const { name = skill.name, content = skill.content } = change;
  if (name !== skill.name) {
    await lockLibrary(ctx.db);
    if (!(await renameSkill(ctx.db, skill.id, name))) throw createSkillNameTakenError(name);
  }
  if (content === skill.content) return { ...skill, name };
  return saveVersion(ctx, { ...skill, name, content }, byLabel);
}

async function saveVersion(ctx: Context, skill: Skill, byLabel: string): Promise<Skill> {
  const version = await insertVersion(ctx.db, {
    skill_id: skill.id,
    workspace_id: ctx.caller.workspaceId,
    content: skill.content,
    saved_by: ctx.caller.personId,
    saved_by_label: byLabel,
    at: ctx.now,
  });
  return { ...skill, version, updated_at: ctx.now };
}

/** The brain or agent that an input names. Throws unless it names exactly one. */
export function getSkillHolder({
  brain_id,
  agent_id,
}: {
  brain_id?: string | undefined;
  agent_id?: string | undefined;
}): SkillHolder {
  if (brain_id && !agent_id) return { brainId: brain_id };
  if (agent_id && !brain_id) return { keyId: agent_id };
  throw new AppError('invalid_input', 'Give either brain_id or agent_id: where the skill is assigned.');
}

/** Throws unless the caller is an admin of the brain. An agent is already known to be their own. */
export async function checkSkillHolder(ctx: Context, holder: SkillHolder): Promise<void> {
  if (!('brainId' in holder)) return;
  const role = (await ctx.brains()).roles.get(holder.brainId);
  if (!role) throw createNotFoundError('brain');
  if (isAtLeast(role, 'admin')) return;
  throw new AppError('forbidden', `This needs the role admin on the brain; yours is ${role}. Ask one of its admins.`, {
    needed: 'admin',
    role,
  });
}

function createSkillNameTakenError(name: string): AppError {
  return new AppError(
    'conflict',
    `The library already has a skill called «${name}». Save a new version of it, or choose another name.`,
  );
}
