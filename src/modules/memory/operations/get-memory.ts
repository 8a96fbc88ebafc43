import { createExampleId } from '#kernel/examples';
import { createNotFoundError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { memoryId } from '../ids.ts';
import { linkOrigins, linkTypes, memoryOutput, memoryTypes, saliences } from '../memory-fields.ts';
import { presentMemory } from '../recalling/present.ts';
import { listMemoryChanges } from '../store/changes.ts';
import { mapMemoryConstellations } from '../store/constellations.ts';
import { listDuplicatesOfMemory } from '../store/duplicates.ts';
import { listLinks } from '../store/links.ts';
import { findAnyMemory, listThreadAround } from '../store/memories.ts';
import { findRecalls } from '../store/recalls.ts';
import { listVersions } from '../store/versions.ts';

const neighboursEachSide = 2;
const time = z.iso.datetime();

const output = z.object({
  memory: memoryOutput.extend({
    archived_at: time.nullable(),
    archive_reason: z.string().nullable(),
    superseded_by: z.uuid().nullable(),
    constellation_id: z.uuid().nullable(),
  }),
  links: z.array(
    z.object({
      source_memory_id: z.uuid(),
      target_memory_id: z.uuid(),
      relationship_type: z.enum(linkTypes),
      origin: z.enum(linkOrigins),
      reason: z.string().nullable(),
    }),
  ),
  thread: z.array(memoryOutput).describe('The neighbouring memories of its thread, in order.'),
  recalls: z.object({
    recall_count: z.number().int(),
    last_recalled_at: time.nullable(),
    strength: z.number().describe('0 to 1. Grows when new memories build on it.'),
  }),
  duplicates: z.array(z.object({ id: z.uuid(), kind: z.enum(['exact', 'near']), similarity: z.number() })),
  changes: z
    .array(
      z.object({
        id: z.uuid().describe('For a merge: the id for undo_merge.'),
        kind: z.enum(['archive', 'merge']),
        reason: z.string().nullable(),
        made_by: z.string().describe('The key or person.'),
        made_by_person: z.string().nullable().describe('The person on whose behalf it was added.'),
        made_at: time,
        undone_at: time.nullable(),
      }),
    )
    .describe('Archivings and merges that changed it, newest first.'),
  versions: z
    .array(
      z.object({
        version: z.number().int(),
        content: z.string(),
        type: z.enum(memoryTypes),
        salience: z.enum(saliences),
        replaced_at: time,
        replaced_by: z.string().describe('The key or person.'),
        replaced_by_person: z.string().nullable().describe('The person it was done for; null for old versions.'),
        reason: z.string().nullable(),
      }),
    )
    .describe('Earlier versions, newest first.'),
});

export const getMemory = defineOperation({
  name: 'get_memory',
  summary: 'Show one memory with its links, its thread, its author, its recalls, and its history.',
  toolset: 'memory',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'viewer', of: 'id' } },
  rest: [{ method: 'GET', path: '/v1/memories/{id}' }],
  input: z.strictObject({ id: memoryId }),
  output,
  errors: ['not_found'],
  examples: [{ title: 'Everything about one memory', input: { id: createExampleId('memory') } }],
  async run(ctx, { id }) {
    const { db } = ctx;
    const memory = await findAnyMemory(db, id);
    if (!memory) throw createNotFoundError('memory');
    const recall = (await findRecalls(db, [id])).get(id);
    const brainIds = await listReadableBrainIds(ctx);
    const pairs = await listDuplicatesOfMemory(db, id, brainIds);
    const successor = memory.superseded_by ? await findAnyMemory(db, memory.superseded_by) : undefined;
    return {
      memory: {
        ...presentMemory(memory),
        archived_at: memory.archived_at?.toISOString() ?? null,
        archive_reason: memory.archive_reason,
        superseded_by: successor && brainIds.includes(successor.brain_id) ? successor.id : null,
        constellation_id: (await mapMemoryConstellations(db, [id])).get(id) ?? null,
      },
      links: await listLinks(db, [id], brainIds, { withRetired: true }),
      thread: (await listThreadAround(db, memory, neighboursEachSide)).map(presentMemory),
      recalls: {
        recall_count: recall?.recall_count ?? 0,
        last_recalled_at: recall?.last_recalled_at.toISOString() ?? null,
        strength: recall?.strength ?? 0,
      },
      duplicates: pairs.map(({ memory_id, duplicate_of, kind, similarity }) => ({
        id: memory_id === id ? duplicate_of : memory_id,
        kind,
        similarity,
      })),
      changes: (await listMemoryChanges(db, id)).map((change) => ({
        id: change.id,
        kind: change.kind,
        reason: change.reason,
        made_by: change.made_by_label,
        made_by_person: change.person_name,
        made_at: change.made_at.toISOString(),
        undone_at: change.undone_at?.toISOString() ?? null,
      })),
      versions: (await listVersions(db, id)).map(({ replaced_by_label, person_name, replaced_at, ...version }) => ({
        ...version,
        replaced_by: replaced_by_label,
        replaced_by_person: person_name,
        replaced_at: replaced_at.toISOString(),
      })),
    };
  },
});
