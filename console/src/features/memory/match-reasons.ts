import type { Hit, Memory } from './requests.ts';

const places: Record<string, string> = {
  title: 'its title',
  labels: 'its topics',
  body: 'the text',
  author: 'its author',
  date: 'its date',
};

const listed = new Intl.ListFormat('en');
const longestBeginning = 48;

/**
 * Why a search found something, a part for each way that led to it: «“postgres” in the text and its topics»,
 * «from the conversation around it», «linked with “Graphs are small”». `others` are the other hits, which links are told by.
 */
export function listMatchReasons({ id, why, fired }: Hit, others: readonly Memory[]): string[] {
  const terms = listed.format(why.terms.map((term) => `“${term}”`));
  const where = why.fields.flatMap((field) => places[field] ?? []);
  const linked = why.links.flatMap(
    ({ memory_id }) => others.find((each) => each.id === memory_id && each.id !== id) ?? [],
  );
  const parts = [
    where.length && terms ? `${terms} in ${listed.format(where)}` : '',
    why.fields.includes('thread') || why.context.length
      ? `${where.length || !terms ? '' : `${terms} `}from the conversation around it`
      : '',
    why.fields.includes('meaning') ? 'close in meaning' : '',
    linked.length ? `linked with ${formatLinkedMemories(linked)}` : '',
    fired ? `its trigger “${fired.condition}”` : '',
  ].filter(Boolean);
  return parts.length ? parts : [terms || 'close in meaning'];
}

function formatLinkedMemories([first, ...rest]: readonly Memory[]): string {
  if (!first) return '';
  const more = rest.length ? ` and ${rest.length} more` : '';
  return `“${shortenContent(first.content)}”${more}`;
}

/** How a text begins, in one line, ending with a whole word. */
function shortenContent(content: string): string {
  const line = content.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= longestBeginning) return line;
  const cut = line.slice(0, longestBeginning).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.slice(0, cut.lastIndexOf(' ') > longestBeginning / 2 ? cut.lastIndexOf(' ') : longestBeginning)}…`;
}
