import { JSONParser } from '@streamparser/json';
import { z } from 'zod';
import { clean, type Item } from './item.ts';

const words = z.union([z.string(), z.number().transform(String)]);
/** An observation as a text, or as an object with a text. */
const observation = z.union([
  words,
  z.object({ text: words }).transform(({ text }) => text),
  z.object({ content: words }).transform(({ content }) => content),
]);
const entity = z.object({
  type: z.literal('entity'),
  name: z.string().min(1),
  entityType: words.catch(''),
  observations: z.union([z.array(observation.catch('')), observation.transform((said) => [said])]).catch([]),
});
const relation = z.object({
  type: z.literal('relation'),
  from: z.string(),
  to: z.string(),
  relationType: words.catch(''),
});
const line = z.discriminatedUnion('type', [entity, relation]);

type Entity = { type: string; observations: Set<string> };

/**
 * Reads the file of the official MCP memory server: a line of JSON for each entity with its observations, and for each relation
 * (modelcontextprotocol/servers, src/memory/index.ts, `saveGraph`). An entity becomes a memory, with the observations of all its lines; a
 * relation a link that names it.
 */
export async function* readMemoryServer(lines: AsyncIterable<string>, at: Date): AsyncGenerator<Item> {
  const entities = new Map<string, Entity>();
  const relations: (z.infer<typeof relation> & { where: string })[] = [];
  let number = 0;
  for await (const each of lines) {
    number += 1;
    if (!each.trim()) continue;
    const where = `line ${number}`;
    const values = parseLineValues(each);
    for (const value of values) {
      const read = line.safeParse(value);
      if (!read.success) yield { kind: 'problem', where, message: 'is neither an entity nor a relation.' };
      else if (read.data.type === 'relation') relations.push({ ...read.data, where });
      else addEntity(entities, read.data);
    }
  }
  for (const [name, { type, observations }] of entities) {
    const content = [type ? `${name} (${type})` : name, ...[...observations].map((said) => `- ${said}`)];
    yield { kind: 'memory', key: name, content: clean(content.join('\n')), at };
  }
  for (const { from, to, relationType, where } of relations)
    if (entities.has(from) && entities.has(to) && from !== to)
      yield { kind: 'link', from, to, reason: clean(`${from} ${relationType} ${to}`) };
    else
      yield {
        kind: 'problem',
        where,
        message: `leads from “${from}” to “${to}”, which are not two entities of the file.`,
      };
}

function addEntity(entities: Map<string, Entity>, { name, entityType, observations }: z.infer<typeof entity>): void {
  const known = entities.get(name) ?? { type: entityType, observations: new Set() };
  known.type ||= entityType;
  for (const said of observations) if (said) known.observations.add(said);
  entities.set(name, known);
}

/** The objects of a line: one, or several that a program wrote without a line break. Null for text that is not JSON. */
function parseLineValues(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    const values: unknown[] = [];
    const parser = new JSONParser({ paths: ['$'], separator: '' });
    let isBroken = false;
    parser.onValue = ({ value }) => void values.push(value);
    parser.onError = () => void (isBroken = true);
    try {
      parser.write(text);
      parser.end();
    } catch {
      isBroken = true;
    }
    return isBroken ? [...values, null] : values;
  }
}
