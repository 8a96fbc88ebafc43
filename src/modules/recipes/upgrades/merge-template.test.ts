import { assert, constantFrom, dictionary, property, record, tuple, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { compareTemplates, mergeTemplate, replaceTemplate, type MergeRule } from './merge-template.ts';

const getName = (element: unknown) => String((element as { name: string }).name);
const rule: MergeRule = {
  by: 'field',
  of: {
    datasets: { by: 'field', rest: { by: 'field', of: { columns: { by: 'name', getName, element: 'whole' } } } },
    kpis: { by: 'name', getName, element: { by: 'field' } },
    dashboard: { by: 'field' },
  },
};

const word = constantFrom('a', 'b', 'c');
const name = constantFrom('x', 'y', 'z', '__proto__', 'constructor');
const columns = uniqueArray(record({ name, type: word }, { noNullPrototype: true }), {
  selector: (each) => each.name,
  maxLength: 4,
});
const kpis = uniqueArray(record({ name, target: word, unit: word }, { noNullPrototype: true }), {
  selector: (each) => each.name,
  maxLength: 4,
});
const template = record(
  {
    name: word,
    source: word,
    datasets: dictionary(name, record({ columns }, { noNullPrototype: true }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    kpis,
    dashboard: dictionary(name, word, { maxKeys: 3, noNullPrototype: true }),
  },
  { requiredKeys: ['name'], noNullPrototype: true },
);
const triple = tuple(template, template, template);
const runs = { numRuns: 500 };

/** Every smallest part of a template by its path. */
function listParts(value: unknown, path = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((each) => listParts(each, `${path}.${getName(each)}`));
  if (typeof value !== 'object' || value === null) return [[path, value]];
  if (path.includes('.columns.')) return [[path, value]];
  return Object.entries(value).flatMap(([key, each]) => listParts(each, `${path}.${key}`));
}

test('what a person changed, added or took away stays, whatever comes', () => {
  assert(
    property(triple, ([base, mine, theirs]) => {
      const merged = new Map(listParts(mergeTemplate(base, mine, theirs, rule).template));
      const [before, now] = [new Map(listParts(base)), new Map(listParts(mine))];
      for (const [path, value] of now)
        if (JSON.stringify(before.get(path)) !== JSON.stringify(value)) expect(merged.get(path)).toEqual(value);
      const later = new Map(listParts(theirs));
      for (const [path, value] of before)
        if (!now.has(path) && JSON.stringify(later.get(path)) === JSON.stringify(value))
          expect(merged.has(path)).toBe(false);
    }),
    runs,
  );
});

test('equal sides merge to themselves, and one changed side counts as a whole', () => {
  assert(
    property(triple, ([base, mine, theirs]) => {
      expect(mergeTemplate(base, mine, mine, rule)).toEqual({ template: mine, kept: [], changes: [] });
      expect(mergeTemplate(base, base, theirs, rule).template).toEqual(theirs);
      expect(mergeTemplate(base, mine, base, rule)).toEqual({ template: mine, kept: [], changes: [] });
    }),
    runs,
  );
});

test('force gives exactly the new version, and its changes are the differences', () => {
  assert(
    property(triple, ([, mine, theirs]) => {
      const { template: forced, kept, changes } = replaceTemplate(mine, theirs, rule);
      expect(forced).toEqual(theirs);
      expect(kept).toEqual([]);
      expect(changes).toEqual(compareTemplates(mine, theirs, rule));
    }),
    runs,
  );
});

test('each field of the result is of one of the sides, and only fields that both changed are kept', () => {
  assert(
    property(triple, ([base, mine, theirs]) => {
      const { template: merged, kept } = mergeTemplate(base, mine, theirs, rule);
      const sides = [...listParts(mine), ...listParts(theirs)].map((part) => JSON.stringify(part));
      for (const part of listParts(merged)) expect(sides).toContain(JSON.stringify(part));
      for (const { mine: own, theirs: others } of kept) expect(own).not.toEqual(others);
      const again = mergeTemplate(theirs, merged, theirs, rule);
      expect(again).toEqual({ template: merged, kept: [], changes: [] });
    }),
    runs,
  );
});

test('a column is changed, kept, hidden and added by its name', () => {
  const build = (...list: [string, string][]) => ({
    datasets: { deals: { columns: list.map(([each, type]) => ({ name: each, type })) } },
  });
  const base = build(['email', 'text'], ['size', 'text'], ['note', 'text'], ['old', 'text']);
  const mine = build(['email', 'text'], ['size', 'number'], ['note', 'json'], ['old', 'text'], ['own', 'date']);
  const theirs = build(['email', 'json'], ['size', 'json'], ['note', 'text'], ['stage', 'text']);
  const { template: merged, kept, changes } = mergeTemplate(base, mine, theirs, rule);
  expect(merged).toEqual(
    build(['email', 'json'], ['size', 'number'], ['note', 'json'], ['own', 'date'], ['stage', 'text']),
  );
  expect(kept).toEqual([
    {
      field: 'datasets.deals.columns.size',
      mine: { name: 'size', type: 'number' },
      theirs: { name: 'size', type: 'json' },
    },
  ]);
  expect(changes.map(({ field, change }) => [field, change])).toEqual([
    ['datasets.deals.columns.email', 'changed'],
    ['datasets.deals.columns.old', 'removed'],
    ['datasets.deals.columns.stage', 'added'],
  ]);
});
