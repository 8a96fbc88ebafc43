// Makes titles and summaries of conversations by rules, without a model.
import type { TurnRow } from './store/chats.ts';

type Turn = Pick<TurnRow, 'role' | 'content'>;

const longestTitle = 90;
const longestSummary = 600;
const shortestSentence = 10;

/** The person's first question, in one line. */
export function buildTitle(turns: readonly Turn[]): string {
  const asked = turns.find(({ role, content }) => role === 'user' && extractProse(content) !== '') ?? turns[0];
  return cut(takeFirstSentence(extractProse(asked?.content ?? '')), longestTitle) || 'A conversation';
}

/** The first question, the last question, and the start of the last answer. */
export function buildSummary(turns: readonly Turn[]): string {
  const asked = turns
    .filter(({ role }) => role === 'user')
    .map(({ content }) => takeFirstSentence(extractProse(content)));
  const answer = turns.findLast(({ role }) => role === 'assistant');
  const [first, last] = [asked[0], asked.length > 1 ? asked.at(-1) : undefined];
  const said = [
    first && `Asked: ${cut(first, 200)}`,
    last && `Last asked: ${cut(last, 200)}`,
    answer && `Answer: ${cut(takeFirstSentence(extractProse(answer.content)), 200)}`,
  ];
  return cut(said.filter(Boolean).join(' '), longestSummary);
}

/** The words of a message, without code, Markdown and wrappers of its client. */
function extractProse(text: string): string {
  return withoutWrappers(text.replaceAll(/```[\s\S]*?(```|$)/g, ' '))
    .replaceAll(/[#*_`>|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Leaves out every tag with its content up to its next end; one without an end stays. */
function withoutWrappers(text: string): string {
  const ends = Map.groupBy(text.matchAll(/<\/([a-z][\w-]*)>/g), ([, name]) => name);
  if (ends.size === 0) return text;
  for (const ofName of ends.values()) ofName.reverse();
  const parts: string[] = [];
  let from = 0;
  for (const { 0: tag, 1: name, index } of text.matchAll(/<([a-z][\w-]*)>/g)) {
    if (index < from) continue;
    const end = findNextEnd(ends.get(name) ?? [], index + tag.length);
    if (!end) continue;
    parts.push(text.slice(from, index), ' ');
    from = end.index + end[0].length;
  }
  return parts.join('') + text.slice(from);
}

/** The first end tag from a position on, given ends in reverse order. Ends before it belong to no later tag either. */
function findNextEnd(ends: RegExpExecArray[], from: number): RegExpExecArray | undefined {
  while (ends.length > 0 && ends.at(-1)!.index < from) ends.pop();
  return ends.at(-1);
}

function takeFirstSentence(text: string): string {
  const end = text.slice(shortestSentence).search(/[.!?](?=\s|$)/);
  return end < 0 ? text : text.slice(0, shortestSentence + end + 1);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1);
  return `${head.slice(0, Math.max(head.lastIndexOf(' '), most / 2)).toWellFormed()}…`;
}
