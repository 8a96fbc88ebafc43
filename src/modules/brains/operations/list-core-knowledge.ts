import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { listCoreKnowledgeItems } from '../core-knowledge.ts';
import { brainId } from '../ids.ts';
import { visibilities, type Item } from '../store/core-knowledge.ts';

const itemOutput = z.object({
  id: z.uuid(),
  content: z.string(),
  visibility: z.enum(visibilities),
  version: z.number().int(),
  brain_id: z.uuid(),
  brain_name: z.string(),
  is_inherited: z.boolean().describe('Whether it is inherited from a brain above.'),
  is_active: z.boolean(),
  added_by: z.string().describe('The key or person.'),
  added_by_person: z.string().nullable().describe('The person on whose behalf it was added.'),
  created_at: z.iso.datetime(),
  deactivated_at: z.iso.datetime().nullable(),
  deactivated_by: z.string().nullable(),
});

export const listCoreKnowledge = defineOperation({
  name: 'list_core_knowledge',
  summary: 'List the core knowledge of a brain by section, including what it inherits from the brains above.',
  toolset: 'brains',
  effect: 'read',
  access: { scope: 'brains:read', brain: { role: 'viewer', of: 'brain_id' } },
  rest: [{ method: 'GET', path: '/v1/brains/{brain_id}/core-knowledge' }],
  aliases: { id: 'brain_id' },
  input: z.strictObject({
    brain_id: brainId,
    history: z.boolean().default(false).describe('Include replaced and removed items.'),
  }),
  output: z.object({
    sections: z.array(z.object({ section: z.string(), items: z.array(itemOutput) })),
    count: z.number().int(),
  }),
  errors: ['not_found'],
  examples: [{ title: 'Which core knowledge applies here?', input: { brain_id: createExampleId('brain') } }],
  async run(ctx, { brain_id, history }) {
    const items = await listCoreKnowledgeItems(ctx, brain_id, history);
    const sections = Map.groupBy(items, ({ section }) => section.toLowerCase());
    return {
      sections: [...sections.values()]
        .map((inSection) => ({
          section: inSection[0]?.section ?? '',
          items: inSection.map((item) => present(item, brain_id)),
        }))
        .toSorted((one, other) => one.section.localeCompare(other.section)),
      count: items.length,
    };
  },
});

function present(item: Item, brainIdHere: string): z.input<typeof itemOutput> {
  return {
    id: item.id,
    content: item.content,
    visibility: item.visibility,
    version: item.version,
    brain_id: item.brain_id,
    brain_name: item.brain_name,
    is_inherited: item.brain_id !== brainIdHere,
    is_active: item.deactivated_at === null,
    added_by: item.added_by_label,
    added_by_person: item.person_name,
    created_at: item.created_at.toISOString(),
    deactivated_at: item.deactivated_at?.toISOString() ?? null,
    deactivated_by: item.deactivated_by_label,
  };
}
