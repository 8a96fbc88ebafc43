import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { linkOrigins, linkTypes, memoryTypes, saliences } from '../memory-fields.ts';
import { mapMemoryConstellations, findLabels } from '../store/constellations.ts';
import { listLinksBetween } from '../store/links.ts';
import { listMemories } from '../store/memories.ts';

const labelLength = 80;
const linksPerMemory = 20;

export const getMemoryGraph = defineOperation({
  name: 'get_memory_graph',
  summary:
    'Get the newest memories of a brain as a graph: memories with their constellations, and the links between them.',
  toolset: 'curation',
  effect: 'read',
  access: { scope: 'memory:read', brain: { role: 'viewer', of: 'brain_id' } },
  rest: [{ method: 'GET', path: '/v1/memory/graph' }],
  input: z.strictObject({
    brain_id: brainId.optional().describe('Default: your home brain.'),
    limit: z.number().int().min(1).max(500).default(200),
  }),
  output: z.object({
    nodes: z.array(
      z.object({
        id: z.uuid(),
        label: z.string().describe('The beginning of the text.'),
        type: z.enum(memoryTypes),
        salience: z.enum(saliences),
        constellation_id: z.uuid().nullable(),
      }),
    ),
    links: z.array(
      z.object({
        source: z.uuid(),
        target: z.uuid(),
        type: z.enum(linkTypes),
        origin: z.enum(linkOrigins),
      }),
    ),
    constellations: z.array(z.object({ id: z.uuid(), label: z.string() })),
  }),
  errors: ['not_found'],
  examples: [{ title: 'For a drawing', input: { limit: 100 } }],
  async run(ctx, { brain_id, limit }) {
    const brain = brain_id ?? (await ctx.brains()).homeBrainId;
    const memories = await listMemories(ctx.db, { brainIds: [brain] }, { limit, offset: 0 });
    const ids = memories.map(({ id }) => id);
    const belongs = await mapMemoryConstellations(ctx.db, ids);
    return {
      nodes: memories.map(({ id, content, type, salience }) => ({
        id,
        label: shortenLabel(content),
        type,
        salience,
        constellation_id: belongs.get(id) ?? null,
      })),
      links: (await listLinksBetween(ctx.db, ids, linksPerMemory)).map((link) => ({
        source: link.source_memory_id,
        target: link.target_memory_id,
        type: link.relationship_type,
        origin: link.origin,
      })),
      constellations: await findLabels(ctx.db, [...new Set(belongs.values())]),
    };
  },
});

function shortenLabel(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ');
  return line.length > labelLength ? `${line.slice(0, labelLength - 1).toWellFormed()}…` : line;
}
