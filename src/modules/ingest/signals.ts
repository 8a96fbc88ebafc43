// Scores how well an item fits each of several brains: by their descriptions, and by their content.
import type { Brain } from '#modules/brains';
import { listStemsInLanguage } from '#modules/memory';

/** The data of an item that needs a brain. */
export type Item = { content: string; sender: string | null; channel: string | null };

/** A person's decision about an earlier item. */
export type Lesson = { brain_id: string; sender: string | null; channel: string | null; stems: readonly string[] };

/** A brain with its share of all signals: the shares of all brains add up to 1, or all are 0. */
export type BrainFit = { brainId: string; share: number };

/** The weight of the content of brains; the rest is the weight of their descriptions. */
const contentPart = 0.65;
/** The bonus of a lesson about the same sender, the same channel, or the same words. */
const lessonBonus = { sender: 0.5, channel: 0.25, words: 0.6 };
const fewestLessonWords = 3;

type DescribedBrain = Pick<Brain, 'id' | 'name' | 'description' | 'routing_rules' | 'language'>;

/**
 * How well a text fits brains by their names, descriptions and routing rules. A rarer word counts more. A rule
 * `invoices → Finance` counts for the brain that it names.
 */
export function fitByDescription(content: string, brains: readonly DescribedBrain[]): Map<string, number> {
  const texts = buildBrainTexts(brains);
  const stems = new Map(
    brains.map((brain) => [brain.id, listStemsInLanguage(brain.language, texts.get(brain.id) ?? '')]),
  );
  const counts = new Map<string, number>();
  for (const own of stems.values()) for (const stem of own) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const rarity = (stem: string) => Math.log(1 + brains.length / (counts.get(stem) ?? brains.length));
  const words = new Map(
    [...new Set(brains.map(({ language }) => language))].map(
      (each) => [each, listStemsInLanguage(each, content)] as const,
    ),
  );
  return new Map(
    brains.map(({ id, language }) => {
      const own = stems.get(id) ?? new Set<string>();
      const said = words.get(language) ?? new Set<string>();
      const common = [...own].filter((stem) => said.has(stem)).reduce((sum, stem) => sum + rarity(stem), 0);
      return [id, common / Math.sqrt(own.size || 1)];
    }),
  );
}

/** The text about each brain: its own, and the rules that name it. */
function buildBrainTexts(brains: readonly DescribedBrain[]): Map<string, string> {
  const texts = new Map(brains.map(({ id, name, description }) => [id, `${name} ${description}`]));
  for (const { id, routing_rules } of brains) {
    for (const rule of routing_rules.split(/[.;\n]+/)) {
      const [what = '', where] = rule.split(/→|->|=>/);
      const named = where === undefined ? id : findNamedBrain(where, brains);
      if (named) texts.set(named, `${texts.get(named)} ${what}`);
    }
  }
  return texts;
}

function findNamedBrain(where: string, brains: readonly DescribedBrain[]): string | undefined {
  const said = where.toLowerCase();
  return brains
    .filter(({ name }) => said.includes(name.toLowerCase().replace(/ brain$/, '')))
    .toSorted((a, b) => b.name.length - a.name.length)[0]?.id;
}

/** The bonus of lessons for each brain. */
export function fitByLessons(item: Item, stems: ReadonlySet<string>, lessons: readonly Lesson[]): Map<string, number> {
  const fits = new Map<string, number>();
  for (const { brain_id, sender, channel, stems: taught } of lessons) {
    const common = taught.filter((stem) => stems.has(stem)).length;
    const words =
      common >= fewestLessonWords ? common / Math.sqrt(taught.length * Math.max(1, Math.min(stems.size, 60))) : 0;
    const gained =
      (sender !== null && sender === item.sender ? lessonBonus.sender : 0) +
      (channel !== null && channel === item.channel ? lessonBonus.channel : 0) +
      lessonBonus.words * Math.min(1, 2 * words);
    fits.set(brain_id, Math.max(fits.get(brain_id) ?? 0, gained));
  }
  return fits;
}

/** Combines the signals, best first. A signal without a result leaves the decision to the other one. */
export function combine(
  brainIds: readonly string[],
  signals: {
    content: ReadonlyMap<string, number>;
    description: ReadonlyMap<string, number>;
    lessons: ReadonlyMap<string, number>;
  },
): BrainFit[] {
  const content = computeShares(signals.content);
  const description = computeShares(signals.description);
  const part = content.size === 0 ? 0 : description.size === 0 ? 1 : contentPart;
  const raw = new Map(
    brainIds.map((id) => {
      const both = part * (content.get(id) ?? 0) + (1 - part) * (description.get(id) ?? 0);
      return [id, both + (signals.lessons.get(id) ?? 0)];
    }),
  );
  const shares = computeShares(raw);
  return brainIds
    .map((brainId) => ({ brainId, share: shares.get(brainId) ?? 0 }))
    .toSorted((a, b) => b.share - a.share || (a.brainId < b.brainId ? -1 : 1));
}

/** Each value as a share of their sum; none when the sum is zero. */
function computeShares(values: ReadonlyMap<string, number>): Map<string, number> {
  const sum = [...values.values()].reduce((total, value) => total + value, 0);
  return sum > 0 ? new Map([...values].map(([id, value]) => [id, value / sum])) : new Map();
}
