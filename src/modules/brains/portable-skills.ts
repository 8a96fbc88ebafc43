// Skills that move with the brains they are assigned to. They are identified by name, because ids stay behind: the
// library belongs to the workspace.
import { AppError } from '#kernel/errors';
import type { Db } from '#kernel/database';
import { archived, type ImportContext, type Portable } from '#kernel/portable';
import { newId } from '#platform/clock';
import { z } from 'zod';
import { checkLimit, type ReadLimits } from './limits.ts';
import { skillContent, skillName } from './skills.ts';
import {
  listArchivedAssignments,
  insertReceivedSkill,
  listReceivedAssignments,
  listReceivedSkills,
  listArchivedVersions,
} from './store/archived-skills.ts';
import { assign, countSkills, findSkill, lockLibrary } from './store/skills.ts';

const { time, count, label } = archived;
const scopes = { scope: 'brains:read', writeScope: 'brains:write' } as const;

/** A skill with its history is exported with the first brain of the archive that it is assigned to. */
function buildPortableVersions(readLimits: ReadLimits): Portable {
  return {
    kind: 'skill_version',
    ...scopes,
    row: z.strictObject({
      name: skillName,
      version: count.min(1),
      content: skillContent,
      saved_by_label: label,
      created_at: time,
    }),
    cursor: /^(\d{1,9}) (.{1,120})$/s,
    async exportBatch(db, from, { after, limit }) {
      const end = after?.indexOf(' ') ?? 0;
      const place = after === null ? null : { version: Number(after.slice(0, end)), name: after.slice(end + 1) };
      const rows = await listArchivedVersions(db, from, place, limit);
      const last = rows.at(-1);
      return { rows, next: last ? `${last.version} ${last.name}` : null };
    },
    store: storeSkills,
    async checkStored(ctx) {
      const limits = await readLimits(ctx);
      checkLimit(limits, 'skills', await countSkills(ctx.db));
    },
    isIn: async () => false, // the assignments say where skills are
  };
}

const assignments: Portable = {
  kind: 'skill_assignment',
  ...scopes,
  row: z.strictObject({ name: skillName, is_enabled: z.boolean(), created_at: time }),
  cursor: /^.{1,120}$/s,
  async exportBatch(db, { brainId }, { after, limit }) {
    const rows = await listArchivedAssignments(db, brainId, after, limit);
    return { rows, next: rows.at(-1)?.name ?? null };
  },
  store: storeAssignments,
  isIn: async (db, brainId) => (await listArchivedAssignments(db, brainId, null, 1)).length > 0,
};

/** Skills come first: assignments name them. */
export const listPortableSkills = (readLimits: ReadLimits): readonly Portable[] => [
  buildPortableVersions(readLimits),
  assignments,
];

async function storeSkills(db: Db, { importId, workspaceId, personId }: ImportContext): Promise<number> {
  await lockLibrary(db);
  let stored = 0;
  for (const received of await listReceivedSkills(db, importId)) {
    const { id, name } = await findPlace(db, received);
    if (!id)
      stored += await insertReceivedSkill(db, importId, {
        id: newId(),
        from: received.name,
        name,
        workspaceId,
        personId,
      });
  }
  return stored;
}

async function storeAssignments(db: Db, { importId, workspaceId, personId, brainIds }: ImportContext): Promise<number> {
  const skills = new Map<string, string>();
  for (const received of await listReceivedSkills(db, importId)) {
    const { id } = await findPlace(db, received);
    if (id) skills.set(received.name, id);
  }
  const lines = await listReceivedAssignments(db, importId);
  for (const { name, brain, is_enabled, at } of lines) {
    const skill_id = skills.get(name);
    if (!skill_id) throw new AppError('invalid_input', `The archive assigns the skill «${name}», which is not in it.`);
    const assignment = { id: newId(), workspace_id: workspaceId, skill_id, is_enabled, assigned_by: personId, at };
    await assign(db, { brainId: brainIds[brain - 1]! }, assignment); // every number was checked against the brains
  }
  return lines.length;
}

const triedNames = 100;

/**
 * The library's skill for a received one: one with the same name and instructions. Otherwise `id` is null and `name` is
 * the first free name, because an import never changes an existing skill.
 */
async function findPlace(db: Db, { name, content }: { name: string; content: string }) {
  for (let number = 1; number <= triedNames; number += 1) {
    const tried = number === 1 ? name : `${name.slice(0, 110)} (${number})`;
    const there = await findSkill(db, { name: tried });
    if (!there) return { id: null, name: tried };
    if (there.name === tried && there.content === content) return { id: there.id, name: tried };
  }
  throw new AppError('conflict', `The library already has ${triedNames} skills called «${name}». Rename some of them.`);
}
