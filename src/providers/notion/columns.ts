// What the columns of a row of a Notion database say. https://developers.notion.com/reference/page-property-values
import { textOf, valueAt } from '#providers/http';

/** A column that says something. */
type Column = { name: string; said: string };

/** Rollups of rollups: Notion itself has one level. */
const deepest = 3;

/** The columns of a page that say something, without its title. */
export function readNotionColumns(page: unknown): { columns: Column[] } {
  const properties = valueAt(page, 'properties');
  if (typeof properties !== 'object' || properties === null) return { columns: [] };
  const columns = Object.entries(properties).map(([name, value]) => ({
    name,
    said: isTitle(value) ? '' : say(value, 0),
  }));
  return { columns: columns.filter(({ said }) => said !== '') };
}

function isTitle(value: unknown): boolean {
  return valueAt(value, 'type') === 'title';
}

/** Where a kind of value has its words. */
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

function say(value: unknown, depth: number): string {
  const type = valueAt(value, 'type');
  if (typeof type !== 'string' || depth > deepest) return '';
  const inside = valueAt(value, `'${type}'`);
  if (type === 'date') return sayDate(inside);
  if (type === 'unique_id')
    return [valueAt(inside, 'prefix'), valueAt(inside, 'number')].map(textOf).filter(Boolean).join('-');
  if (type === 'rollup' && valueAt(inside, 'type') === 'array') {
    const list = valueAt(inside, 'array');
    return textOf(Array.isArray(list) ? list.map((each) => say(each, depth + 1)) : []);
  }
  if (type === 'rollup' || type === 'formula') return say(inside, depth + 1);
  const place = places[type];
  return textOf(place === undefined ? inside : valueAt(inside, place)).trim();
}

function sayDate(date: unknown): string {
  return [valueAt(date, 'start'), valueAt(date, 'end')].map(textOf).filter(Boolean).join(' ');
}
