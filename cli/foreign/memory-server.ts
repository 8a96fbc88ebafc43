import { z } from 'zod';
import { clean, type Item } from './item.ts';

const entity = z.object({
  type: z.literal('entity'),
  name: z.string().min(1),
  entityType: z.string(),
  observations: z.array(z.string()),
});
const relation = z.object({ type: z.literal('relation'), from: z.string(), to: z.string(), relationType: z.string() });
const line = z.discriminatedUnion('type', [entity, relation]);

/**
 * Reads the file of the official MCP memory server: a line of JSON for each entity with its observations, and for each relation
 * (modelcontextprotocol/servers, src/memory/index.ts, `saveGraph`). An entity becomes a memory, a relation a link that names it.
 */
export function* readMemoryServer(text: string, at: Date): Generator<Item> {
  const known = new Set<string>();
  const relations: (z.infer<typeof relation> & { where: string })[] = [];
  for (const [index, each] of text.split('\n').entries()) {
    if (!each.trim()) continue;
    const where = `line ${index + 1}`;
    const read = line.safeParse(jsonOf(each));
    if (!read.success) yield { kind: 'problem', where, message: 'is no entity and no relation.' };
    else if (read.data.type === 'relation') relations.push({ ...read.data, where });
    else if (!known.has(read.data.name)) {
      const { name, entityType, observations } = read.data;
      known.add(name);
      const content = clean([`${name} (${entityType})`, ...observations.map((said) => `- ${said}`)].join('\n'));
      yield { kind: 'memory', key: name, content, at };
    }
  }
  for (const { from, to, relationType, where } of relations)
    if (known.has(from) && known.has(to) && from !== to)
      yield { kind: 'link', from, to, reason: clean(`${from} ${relationType} ${to}`) };
    else
      yield {
        kind: 'problem',
        where,
        message: `leads from “${from}” to “${to}”, which are not two entities of the file.`,
      };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
