// The words of the columns of a Notion row. https://developers.notion.com/reference/page-property-values
import { formatText, readValue } from '#providers/http';

/** A column with a value. */
type Column = { name: string; said: string };

/** The deepest nesting of rollups that is read: Notion itself allows one level. */
const deepest = 3;

/** The columns of a page that have a value, without its title. */
export function readNotionColumns(page: unknown): { columns: Column[] } {
  const properties = readValue(page, 'properties');
  if (typeof properties !== 'object' || properties === null) return { columns: [] };
  const columns = Object.entries(properties).map(([name, value]) => ({
    name,
    said: isTitle(value) ? '' : readColumn(value, 0),
  }));
  return { columns: columns.filter(({ said }) => said !== '') };
}

function isTitle(value: unknown): boolean {
  return readValue(value, 'type') === 'title';
}

/** Where each type of value keeps its text. */
const places: Readonly<Record<string, string>> = {
  title: '+.plain_text',
  rich_text: '+.plain_text',
  select: 'name',
  status: 'name',
  multi_select: '*.name',
  people: '*.name',
  files: '*.name',
  created_by: 'name',
  last_edited_by: 'name',
  relation: '*.title',
  verification: 'state',
};

function readColumn(value: unknown, depth: number): string {
  const type = readValue(value, 'type');
  if (typeof type !== 'string' || depth > deepest) return '';
  const inside = readValue(value, `'${type}'`);
  if (type === 'date') return readDate(inside);
  if (type === 'unique_id')
    return [readValue(inside, 'prefix'), readValue(inside, 'number')].map(formatText).filter(Boolean).join('-');
  if (type === 'rollup' && readValue(inside, 'type') === 'array') {
    const list = readValue(inside, 'array');
    return formatText(Array.isArray(list) ? list.map((each) => readColumn(each, depth + 1)) : []);
  }
  if (type === 'rollup' || type === 'formula') return readColumn(inside, depth + 1);
  const place = places[type];
  return formatText(place === undefined ? inside : readValue(inside, place)).trim();
}

function readDate(date: unknown): string {
  return [readValue(date, 'start'), readValue(date, 'end')].map(formatText).filter(Boolean).join(' ');
}
