// Names that clients of other systems have for actions of ours, and for their fields.
type OwnAction = { name: string; fields?: Readonly<Record<string, string>> };

const comment = { comment: 'body', text: 'body' };
const otherNames: Readonly<Record<string, Readonly<Record<string, OwnAction>>>> = {
  gmail: {
    mark_read: { name: 'mark_as_read' },
    add_labels: { name: 'label_thread', fields: { labels: 'add' } },
  },
  monday: { add_comment: { name: 'create_update', fields: comment } },
  linear: { add_comment: { name: 'create_comment', fields: { ...comment, issue_id: 'issue' } } },
  github: { add_comment: { name: 'create_comment', fields: { ...comment, issue_number: 'number' } } },
  notion: { add_comment: { name: 'create_comment', fields: { comment: 'text', body: 'text' } } },
};

/** Our name of an action at a source. */
export function toOurName(source: string, name: string): string {
  return otherNames[source]?.[name]?.name ?? name;
}

/** Fields by our names. A field under our name counts more. */
export function toOurFields(source: string, name: string, given: Record<string, unknown>): Record<string, unknown> {
  const renamed = otherNames[source]?.[name]?.fields ?? {};
  const entries = Object.entries(given).map(([field, value]) => [renamed[field] ?? field, value] as const);
  return Object.fromEntries([...entries, ...Object.entries(given).filter(([field]) => !(field in renamed))]);
}
