/** A text with the words a search matched marked in it. Terms are whole words; their endings may differ. */
export function Highlight({ text, terms }: { text: string; terms: readonly string[] }) {
  if (!terms.length) return text;
  const stems = terms.map((term) => escapeTerm(term.length > 5 ? term.slice(0, -2) : term));
  const pattern = new RegExp(`((?<![\\p{L}\\p{N}])(?:${stems.join('|')})[\\p{L}\\p{N}]*)`, 'giu');
  return text.split(pattern).map((part, at) => (at % 2 ? <mark key={`${at} ${part}`}>{part}</mark> : part));
}

function escapeTerm(term: string): string {
  return term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
