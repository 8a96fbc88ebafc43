// How often the router puts an item into the wrong brain, how often it asks a person, and what a person's decisions change.
import { readConversations, type Conversation } from './memory/conversations.ts';
import { startBenchServer, type BenchServer } from './server-process.ts';
import type { Bench, Table } from './table.ts';
import { chooseSize } from './size.ts';

/** Brains that are searched at a time, as a workspace has them. */
const brainsPerWorld = chooseSize(12, 2);
/** In a hundred, how many turns of a conversation are in its brain beforehand; the rest arrive. */
const known = 60;
/** An item has several turns, like a note or a transcript. */
const turnsPerItem = 6;
const itemsPerBrain = chooseSize(5, 1);

type Item = { brain: string; content: string };
type Outcome = { items: number; sure: number; wrongSure: number; firstRight: number };

/**
 * Each conversation is a brain, described by its first question. The items are later turns of it, so the right brain is known. The bar:
 * of what is placed without review at most a tenth is wrong.
 */
export async function measureRouting(bench: Bench): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const { name, conversations } of readConversations()) {
    const usable = conversations.filter(({ turns }) => turns.length >= 3 * turnsPerItem).slice(0, brainsPerWorld);
    bench.note(`${name}: ${usable.length} brains`);
    const server = await startBenchServer(await bench.createDatabase());
    try {
      const { send, items } = await seedWorld(server, usable);
      rows.push(...describe(name, await route(server, send, items)));
    } finally {
      await server.stop();
    }
  }
  return { title: `Routing of items among ${brainsPerWorld} brains, labelled by the conversation they are of`, rows };
}

async function seedWorld(server: BenchServer, conversations: readonly Conversation[]) {
  const items: Item[] = [];
  const brains: string[] = [];
  for (const [at, { conversation, turns, questions }] of conversations.entries()) {
    const description = questions[0]?.question ?? conversation;
    const made = await server.call('create_brain', { name: `Place ${at}`, description });
    const brain = String(made['brain_id']);
    brains.push(brain);
    const cut = Math.floor((turns.length * known) / 100);
    const memories = turns
      .slice(0, cut)
      .filter(({ text }) => text.trim())
      .map(({ author, text }) => ({ author, content: text }));
    for (let from = 0; from < memories.length; from += 100)
      await server.call('add_memories_bulk', { target_brain_id: brain, memories: memories.slice(from, from + 100) });
    for (
      let from = cut, made = 0;
      from + turnsPerItem <= turns.length && made < itemsPerBrain;
      from += turnsPerItem, made += 1
    ) {
      const content = turns
        .slice(from, from + turnsPerItem)
        .map(({ text }) => text)
        .join('\n');
      items.push({ brain, content });
    }
  }
  const connector = { name: 'Router', source: 'bench', connector_type: 'shared', brain_id: brains[0] };
  const { webhook_token } = await server.call('create_connector', {
    ...connector,
    config: { allowed_brain_ids: brains },
  });
  const send = async (content: string) => {
    const headers = { authorization: `Bearer ${String(webhook_token)}`, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/v1/ingest`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ content }),
    });
    return (await response.json()) as { brain_id: string; review_id: string | null };
  };
  return { send, items };
}

/** Sends the items and decides every review by the label, as a person would. */
async function route(
  server: BenchServer,
  send: (content: string) => Promise<{ brain_id: string; review_id: string | null }>,
  items: readonly Item[],
): Promise<Outcome> {
  const outcome: Outcome = { items: items.length, sure: 0, wrongSure: 0, firstRight: 0 };
  for (const { brain, content } of items) {
    const { brain_id, review_id } = await send(content);
    if (review_id === null) {
      outcome.sure += 1;
      outcome.wrongSure += brain_id === brain ? 0 : 1;
      continue;
    }
    const { reviews } = await server.call('list_routing_reviews', { limit: 1 });
    const [review] = reviews as { candidates: { brain_id: string }[] }[];
    outcome.firstRight += review?.candidates[0]?.brain_id === brain ? 1 : 0;
    await server.call('resolve_routing_review', { review_id, brain_id: brain });
  }
  return outcome;
}

function describe(name: string, { items, sure, wrongSure, firstRight }: Outcome): Table['rows'] {
  const percent = (part: number, of: number) => `${of ? Math.round((100 * part) / of) : 0} %`;
  const wrong = sure ? wrongSure / sure : 0;
  return [
    { name: `${name}: placed without review`, value: `${percent(sure, items)} of ${items}` },
    { name: `${name}: of those, in the wrong brain`, value: percent(wrongSure, sure) },
    { name: `${name}: of the reviewed, the first candidate was right`, value: percent(firstRight, items - sure) },
    { name: `${name}: bar: at most 10 % wrong without review`, value: wrong <= 0.1 ? 'met' : 'missed' },
  ];
}
