const places: Record<string, string> = {
  title: 'its title',
  labels: 'its topics',
  body: 'the text',
  author: 'its author',
  date: 'its date',
  thread: 'what was said around it',
};

/** Why a search found something, in words: «“postgres” in the text and its topics». */
export function whyText({ terms, fields }: { terms: readonly string[]; fields: readonly string[] }): string {
  if (!terms.length) return 'Close in meaning';
  const list = new Intl.ListFormat('en');
  const where = fields.map((field) => places[field] ?? field);
  return `${list.format(terms.map((term) => `“${term}”`))}${where.length ? ` in ${list.format(where)}` : ''}`;
}
