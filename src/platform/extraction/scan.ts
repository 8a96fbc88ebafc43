// Finds the subjects of a document: TF-IDF finds the topics of each passage, and shared topics group passages. Uses no
// model.
import { gather, formatTopicLabel } from '#platform/constellations';
import { createAnalyser, type AnalyseText } from '#platform/search';
import { splitIntoPassages, type Passage } from './passages.ts';

export type LineRange = { start: number; end: number };

/** Passages about the same subject, with their common words. */
export type Constellation = { label: string; topics: string[]; ranges: LineRange[]; passages: number };

export type Scan = {
  lines: number;
  /** `group` is the number of its constellation. */
  passages: readonly (Passage & { group: number })[];
  constellations: Constellation[];
};

const topicsPerPassage = 8;
const mostTopicsShown = 10;
const mostGroups = 200;
const shortestTopic = 3;

type Terms = { ids: Int32Array; counts: Uint16Array };

/** Scans a text in linear time. */
export async function scan(text: string, analyse: AnalyseText = createAnalyser()): Promise<Scan> {
  const { passages, lines } = splitIntoPassages(text);
  const { termsOf: listTerms, spellings, frequencies } = countTerms(text, passages, analyse);
  const vocabulary = buildVocabulary(spellings, frequencies, passages.length);
  const topical = listTerms.map((terms, number) => ({
    id: String(number),
    topics: rankPassageTopics(terms, vocabulary),
  }));
  const groups =
    passages.length < 3 ? [] : await gather(topical, { fewest: getFewestPassages(passages.length), mostGroups });
  const groupOf = new Int32Array(passages.length).fill(-1);
  groups.forEach(({ memberIds }, group) => memberIds.forEach((id) => (groupOf[Number(id)] = group)));
  joinNeighbours(groupOf);
  const members: number[][] = Array.from({ length: Math.max(1, groups.length) }, () => []);
  groupOf.forEach((group, number) => members[group]!.push(number));
  return {
    lines,
    passages: passages.map((passage, number) => ({ ...passage, group: groupOf[number]! })),
    constellations: members.map((numbers, group) => {
      const topics = (groups[group]?.topics ?? collectFirstTopics(numbers, topical)).slice(0, mostTopicsShown);
      return {
        label: formatTopicLabel({ topics }) || 'Text',
        topics,
        ranges: mergeLineRanges(numbers.map((number) => passages[number]!)),
        passages: numbers.length,
      };
    }),
  };
}

/** In a short document two passages are enough to make a topic. */
function getFewestPassages(passages: number): number {
  return passages < 60 ? 2 : 3;
}

function countTerms(text: string, passages: readonly Passage[], analyse: AnalyseText) {
  const numbers = new Map<string, number>();
  const spellings: string[] = [];
  const frequencies: number[] = [];
  const counts: number[] = [];
  const listTerms = passages.map(({ from, to }): Terms => {
    const touched: number[] = [];
    for (const { word, stems, wholes } of analyse(text.slice(from, to))) {
      const key = stems.length === 1 ? stems[0]! : (wholes[0] ?? stems.join(' '));
      let number = numbers.get(key);
      if (number === undefined) {
        number = spellings.push(word) - 1;
        numbers.set(key, number);
        frequencies.push(0);
        counts.push(0);
      }
      if (counts[number] === 0) {
        touched.push(number);
        frequencies[number]! += 1;
      }
      counts[number]! += 1;
    }
    const terms = { ids: Int32Array.from(touched), counts: new Uint16Array(touched.length) };
    touched.forEach((number, at) => {
      terms.counts[at] = Math.min(65_535, counts[number]!);
      counts[number] = 0;
    });
    return terms;
  });
  return { termsOf: listTerms, spellings, frequencies };
}

/** Words by number. `weights`: how specific each word is; 0 for a word that cannot be a topic. */
type Vocabulary = { spellings: readonly string[]; weights: Float64Array };

/** A word that only one passage has groups nothing. */
function buildVocabulary(spellings: readonly string[], frequencies: readonly number[], passages: number): Vocabulary {
  const isTopic = (number: number) => (frequencies[number]! > 1 || passages <= 2) && canBeTopic(spellings[number]!);
  const weights = Float64Array.from(frequencies, (frequency, number) =>
    isTopic(number) ? Math.log(1 + passages / frequency) : 0,
  );
  return { spellings, weights };
}

/** The words of a passage with the highest TF-IDF, the best first. */
function rankPassageTopics({ ids, counts }: Terms, { spellings, weights }: Vocabulary): string[] {
  const best: number[] = [];
  const scores: number[] = [];
  for (let at = 0; at < ids.length; at += 1) {
    const number = ids[at]!;
    const score = counts[at]! * weights[number]!;
    if (score === 0 || (best.length === topicsPerPassage && score <= scores[topicsPerPassage - 1]!)) continue;
    let place = Math.min(best.length, topicsPerPassage - 1);
    for (; place > 0 && scores[place - 1]! < score; place -= 1) {
      best[place] = best[place - 1]!;
      scores[place] = scores[place - 1]!;
    }
    best[place] = number;
    scores[place] = score;
  }
  return best.map((number) => spellings[number]!);
}

function canBeTopic(word: string): boolean {
  return word.length >= shortestTopic && word.length <= 60 && !/^[\d.,:/%-]+$/.test(word);
}

/** A passage without a shared topic joins the group of the passage before it, or else after it. */
function joinNeighbours(groupOf: Int32Array): void {
  for (let at = 1; at < groupOf.length; at += 1) if (groupOf[at]! < 0) groupOf[at] = groupOf[at - 1]!;
  for (let at = groupOf.length - 1; at >= 0; at -= 1) if (groupOf[at]! < 0) groupOf[at] = groupOf[at + 1] ?? 0;
}

/** For passages without a shared topic: the first topics of each, in turn. */
function collectFirstTopics(numbers: readonly number[], topical: readonly { topics: string[] }[]): string[] {
  const topics = new Set<string>();
  for (let place = 0; place < topicsPerPassage && topics.size < mostTopicsShown; place += 1)
    for (const number of numbers) {
      const topic = topical[number]?.topics[place];
      if (topic !== undefined) topics.add(topic);
    }
  return [...topics];
}

function mergeLineRanges(passages: readonly Passage[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (const { lineStart, lineEnd } of passages) {
    const last = ranges.at(-1);
    if (last && lineStart <= last.end + 1) last.end = lineEnd;
    else ranges.push({ start: lineStart, end: lineEnd });
  }
  return ranges;
}
