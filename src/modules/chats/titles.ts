// Makes titles and summaries of conversations by rules, without a model.
import type { TurnRow } from './store/chats.ts';

type Turn = Pick<TurnRow, 'role' | 'content'>;

const longestTitle = 90;
const longestSummary = 600;

/** The person's first question, in one line. */
export function titleOf(turns: readonly Turn[]): string {
  const asked = turns.find(({ role, content }) => role === 'user' && proseOf(content) !== '') ?? turns[0];
  return cut(firstSentence(proseOf(asked?.content ?? '')), longestTitle) || 'A conversation';
}

/** The first question, the last question, and the start of the last answer. */
export function summaryOf(turns: readonly Turn[]): string {
  const asked = turns.filter(({ role }) => role === 'user').map(({ content }) => firstSentence(proseOf(content)));
  const answer = turns.findLast(({ role }) => role === 'assistant');
  const [first, last] = [asked[0], asked.length > 1 ? asked.at(-1) : undefined];
  const said = [
    first && `Asked: ${cut(first, 200)}`,
    last && `Last asked: ${cut(last, 200)}`,
    answer && `Answer: ${cut(firstSentence(proseOf(answer.content)), 200)}`,
  ];
  return cut(said.filter(Boolean).join(' '), longestSummary);
}

/** The words of a message, without code, Markdown and wrappers of its client. */
function proseOf(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(```|$)/g, ' ')
    .replaceAll(/<([a-z][\w-]*)>[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/[#*_`>|]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function firstSentence(text: string): string {
  return /^.{10,}?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1);
  return `${head.slice(0, Math.max(head.lastIndexOf(' '), most / 2)).toWellFormed()}…`;
}
