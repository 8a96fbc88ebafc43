import { z } from 'zod';
import { clean, parseMoment, type Item } from './item.ts';

const words = z.union([z.string(), z.number().transform(String)]);
const memory = z.object({
  id: words.nullish().catch(null),
  memory: z.string().min(1),
  user_id: words.nullish().catch(null),
  agent_id: words.nullish().catch(null),
  categories: z.array(words).nullish().catch(null),
  created_at: words.nullish().catch(null),
});

/**
 * Reads memories of mem0: the answer of `get_all`, which has them in `results`, or a bare list of them
 * (docs.mem0.ai/cookbooks/essentials/exporting-memories and /api-reference/memory/get-memories).
 */
export async function* readMem0(all: AsyncIterable<unknown>, at: Date): AsyncGenerator<Item> {
  let number = 0;
  for await (const each of all) {
    number += 1;
    const read = memory.safeParse(each);
    if (!read.success) {
      yield { kind: 'problem', where: `memory ${number}`, message: 'has no text in `memory`.' };
      continue;
    }
    const { id, memory: content, user_id, agent_id, categories, created_at } = read.data;
    const topics = (categories ?? []).slice(0, 20).map((name) => clean(name.slice(0, 100)));
    const author = user_id ?? agent_id ?? null;
    yield {
      kind: 'memory',
      key: id ?? content,
      content: clean(content),
      at: parseMoment(created_at, at),
      topics,
      author: author && clean(author.slice(0, 200)),
    };
  }
}
