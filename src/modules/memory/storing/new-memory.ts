import { setImmediate } from 'node:timers/promises';
import type { Context } from '#kernel/context';
import type { z } from 'zod';
import { inferSalience, inferType } from '../rules/inference.ts';
import type { memoryFields } from '../memory-fields.ts';
import { reportExactDuplicates } from '../store/duplicates.ts';
import { insertMemories, type NewMemory } from '../store/memories.ts';
import { insertTriggerWords } from '../store/triggers.ts';
import { extractTopics } from '../rules/topics.ts';

type Fields = { [Name in keyof typeof memoryFields]?: z.output<(typeof memoryFields)[Name]> } & { content: string };

/** A memory ready to be stored: omitted fields are inferred from the content by the rules in `inference.ts`. */
export function buildMemory(ctx: Context, brainId: string, fields: Fields, sessionId: string | null = null): NewMemory {
  return {
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    brain_id: brainId,
    content: fields.content,
    type: fields.type ?? inferType(fields.content),
    salience: fields.salience ?? inferSalience(fields.content),
    topics: extractTopics(fields.content),
    triggers: fields.triggers ?? [],
    session_id: sessionId,
    thread_id: fields.thread_id ?? null,
    author: fields.author ?? null,
    role: fields.role ?? null,
    occurred_at: fields.occurred_at ? new Date(fields.occurred_at) : ctx.now,
    source: null,
    source_id: null,
    metadata: null,
    stored_by: ctx.caller.personId,
    stored_by_label: ctx.caller.label,
    created_at: ctx.now,
  };
}

/** Like `buildMemory` for many. Reading long texts takes a while, so other calls run in between. */
export async function buildMemories(ctx: Context, brainId: string, all: readonly Fields[]): Promise<NewMemory[]> {
  const memories: NewMemory[] = [];
  for (const fields of all) {
    memories.push(buildMemory(ctx, brainId, fields));
    await setImmediate();
  }
  return memories;
}

/** Stores memories in a brain and makes their triggers findable. Returns the duplicates. */
export async function storeMemories(
  ctx: Context,
  brainId: string,
  memories: readonly NewMemory[],
): Promise<Map<string, string>> {
  await insertMemories(ctx.db, memories);
  await insertTriggerWords(ctx.db, memories);
  return reportExactDuplicates(
    ctx.db,
    brainId,
    memories.map((memory) => memory.id),
  );
}
