// The parts of memory that move with a brain. The record of merges stays: it names people and keys of this server.
import { archived, type Portable } from '#kernel/portable';
import { definePortableTable, type PortableTarget } from '#modules/brains';
import { z } from 'zod';
import { contradictionKinds } from './rules/contradiction.ts';
import { linkOrigins, linkTypes, memoryTypes, saliences, trigger } from './memory-fields.ts';
import { makeFindable } from './store/portable.ts';

const { id, time, count, text, label } = archived;
const scopes = { scope: 'memory:read', writeScope: 'memory:write' } as const;
const partOf = { column: 'memory_id', table: 'memories' };

const memoryFields = {
  content: text(400_000).min(1),
  type: z.enum(memoryTypes),
  salience: z.enum(saliences),
  topics: z.array(text(400)).max(400),
  triggers: z.array(trigger).max(20),
};

const sessions = definePortableTable({
  kind: 'session',
  table: 'memory_sessions',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id'],
  person: ['person_id'],
  row: z.strictObject({
    id,
    opened_by: label,
    started_at: time,
    summary: text(400_000).nullable(),
    logged_at: time.nullable(),
    is_shared: z.boolean(),
  }),
});

/** References to a memory from another table that moves. */
export const memoryTarget: PortableTarget = { table: 'memories' };

const memories = definePortableTable({
  kind: 'memory',
  table: 'memories',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id'],
  leadsTo: { session_id: { table: 'memory_sessions' }, superseded_by: { table: 'memories' } },
  person: ['stored_by'],
  row: z.strictObject({
    id,
    ...memoryFields,
    session_id: id.nullable(),
    thread_id: text(1_000).nullable(),
    author: text(1_000).nullable(),
    role: z.enum(['user', 'assistant', 'other']).nullable(),
    occurred_at: time,
    source: text(1_000).nullable(),
    source_id: text(1_000).nullable(),
    // Archives of earlier versions have none.
    metadata: z.record(z.string(), z.json()).nullish(),
    stored_by_label: label.nullable(),
    created_at: time,
    archived_at: time.nullable(),
    archive_reason: text(10_000).nullable(),
    superseded_by: id.nullable(),
  }),
});

const versions = definePortableTable({
  kind: 'memory_version',
  table: 'memory_versions',
  ...scopes,
  key: { memory_id: 'uuid', version: 'integer' },
  ids: ['memory_id'],
  partOf,
  row: z.strictObject({
    memory_id: id,
    version: count,
    ...memoryFields,
    replaced_at: time,
    replaced_by_label: label,
    reason: text(10_000).nullable(),
  }),
});

const links = definePortableTable({
  kind: 'link',
  table: 'memory_links',
  ...scopes,
  key: { source_memory_id: 'uuid', target_memory_id: 'uuid', relationship_type: 'text' },
  ids: ['source_memory_id'],
  leadsTo: { target_memory_id: { table: 'memories', isRequired: true } },
  partOf: { column: 'source_memory_id', table: 'memories' },
  row: z.strictObject({
    source_memory_id: id,
    target_memory_id: id,
    relationship_type: z.enum(linkTypes),
    origin: z.enum(linkOrigins),
    reason: text(10_000).nullable(),
    kind: z.enum(contradictionKinds).nullable().default(null),
    created_at: time,
  }),
});

const recalls = definePortableTable({
  kind: 'recall',
  table: 'memory_recalls',
  ...scopes,
  key: { memory_id: 'uuid' },
  ids: ['memory_id'],
  partOf,
  row: z.strictObject({
    memory_id: id,
    recall_count: count,
    last_recalled_at: time,
    strength: z.number().min(0).max(1),
  }),
});

/** Dismissed pairs; the others are found again. */
const dismissedDuplicates = definePortableTable({
  kind: 'dismissed_duplicate',
  table: 'memory_duplicates',
  ...scopes,
  key: { memory_id: 'uuid', duplicate_of: 'uuid' },
  ids: ['memory_id', 'duplicate_of'],
  only: 'dismissed_at is not null',
  row: z.strictObject({
    memory_id: id,
    duplicate_of: id,
    kind: z.enum(['exact', 'near']),
    similarity: z.number(),
    found_at: time,
    dismissed_at: time,
    dismissed_by_label: label.nullable(),
  }),
});

const dismissedAt = { dismissed_at: time, dismissed_by_label: label };

const dismissedContradictions = definePortableTable({
  kind: 'dismissed_contradiction',
  table: 'dismissed_contradictions',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id', 'memory_id'],
  leadsTo: { other_id: { table: 'memories', isRequired: true } },
  only: 'kind is null',
  row: z.strictObject({ id, memory_id: id, other_id: id, ...dismissedAt }),
});

const dismissedContradictionKinds = definePortableTable({
  kind: 'dismissed_contradiction_kind',
  table: 'dismissed_contradictions',
  ...scopes,
  key: { id: 'uuid' },
  ids: ['id'],
  only: 'kind is not null',
  row: z.strictObject({ id, kind: z.enum(contradictionKinds), ...dismissedAt }),
});

const findableMemories: Portable = {
  ...memories,
  async store(db, to) {
    const stored = await memories.store(db, to);
    await makeFindable(db, to.brainIds);
    return stored;
  },
};

export const portableMemory = [
  sessions,
  findableMemories,
  versions,
  links,
  recalls,
  dismissedDuplicates,
  dismissedContradictions,
  dismissedContradictionKinds,
];
