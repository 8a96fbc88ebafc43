import { z } from 'zod';
import { clean, momentOf, type Item } from './item.ts';

const memory = z.object({
  id: z.string().optional(),
  memory: z.string().min(1),
  user_id: z.string().nullish(),
  agent_id: z.string().nullish(),
  categories: z.array(z.string()).nullish(),
  created_at: z.string().nullish(),
});

/**
 * Reads memories of mem0: the answer of `get_all`, which has them in `results`, or a bare list of them
 * (docs.mem0.ai/cookbooks/essentials/exporting-memories and /api-reference/memory/get-memories).
 */
export function* readMem0(all: readonly unknown[], at: Date): Generator<Item> {
  for (const [index, each] of all.entries()) {
    const read = memory.safeParse(each);
    if (!read.success) {
      yield { kind: 'problem', where: `memory ${index + 1}`, message: 'has no text in `memory`.' };
      continue;
    }
    const { id, memory: content, user_id, agent_id, categories, created_at } = read.data;
    const topics = (categories ?? []).slice(0, 20).map((name) => clean(name.slice(0, 100)));
    const author = user_id ?? agent_id ?? null;
    yield {
      kind: 'memory',
      key: id ?? content,
      content: clean(content),
      at: momentOf(created_at, at),
      topics,
      author: author && clean(author.slice(0, 200)),
    };
  }
}
