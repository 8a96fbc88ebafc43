// Things that got a numbered name at their install, because it was taken, still have the name of their recipe.
import type { AnyDesign } from './design-kinds.ts';

type NamedPart = { name: string };

/** The field that names a design of each kind. */
export const nameFields = { board: 'name', automation: 'name', workflow: 'title' } as const;

export type AlignedDesign = {
  /** The design with the names of the recipe. */
  design: AnyDesign;
  /** A design with the present names again. */
  restore(design: AnyDesign): AnyDesign;
};

/** Gives a design, and the automations of a workflow, the names of the recipe where only a number tells them apart. */
export function alignNames(mine: AnyDesign, base: AnyDesign, nameField: 'name' | 'title'): AlignedDesign {
  const own = findNumbered([readName(mine, nameField)], [readName(base, nameField)]);
  const parts = findNumbered(listParts(mine), listParts(base));
  const rename = (design: AnyDesign, names: readonly ReadonlyMap<string, string>[]): AnyDesign => {
    const [ofDesign, ofParts] = names as [ReadonlyMap<string, string>, ReadonlyMap<string, string>]; // as called below
    const automations = (design['automations'] as NamedPart[] | undefined)?.map((part) => ({
      ...part,
      name: ofParts.get(part.name) ?? part.name,
    }));
    const name = readName(design, nameField);
    return { ...design, [nameField]: ofDesign.get(name) ?? name, ...(automations && { automations }) };
  };
  return {
    design: rename(mine, [own, parts]),
    restore: (design) => rename(design, [mapToPresent(own), mapToPresent(parts)]),
  };
}

/** Present names by the names of the recipe that they have with a number. */
function findNumbered(present: readonly string[], wanted: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of wanted.filter((each) => !present.includes(each))) {
    const numbered = present.find((each) => !wanted.includes(each) && !found.has(each) && isNumbered(each, name));
    if (numbered !== undefined) found.set(numbered, name);
  }
  return found;
}

const number = / \(\d{1,4}\)$/;
/** Long names were cut to make room for the number. */
const shortestCut = 180;

function isNumbered(name: string, wanted: string): boolean {
  const start = name.replace(number, '');
  return start !== name && (start === wanted || (start.length >= shortestCut && wanted.startsWith(start)));
}

function mapToPresent(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names].map(([present, wanted]) => [wanted, present]));
}

function readName(design: AnyDesign, nameField: 'name' | 'title'): string {
  return String(design[nameField]);
}

function listParts(design: AnyDesign): string[] {
  return ((design['automations'] as NamedPart[] | undefined) ?? []).map(({ name }) => name);
}
