// The parts of an office file, and how they relate (ECMA-376, part 2).
import { readXmlEvents, type XmlHandlers } from './xml-events.ts';
import type { Zip } from './zip.ts';

export type Relationship = {
  id: string;
  /** The last word of its type, such as `worksheet`: the rest differs between editions of the standard. */
  kind: string;
  /** The name of the target part. */
  part: string;
};

export type OfficePackage = {
  names: readonly string[];
  has(part: string): boolean;
  /** The relationships of a part, or of the whole package for an empty name. */
  readRelationships(part: string): Promise<Relationship[]>;
  /** Reads the events of a part; none when no part has that name. */
  readPart(part: string, handlers: XmlHandlers): Promise<void>;
};

/** Opens the parts of an archive. Names of parts may differ in case and in the kind of slash, and in more. */
export function openPackage(zip: Zip): OfficePackage {
  const entries = new Map(zip.names.map((name) => [normalize(name), name]));
  const readPart = (part: string, handlers: XmlHandlers) =>
    readXmlEvents(zip.stream(entries.get(normalize(part)) ?? part), handlers);
  return {
    names: zip.names.map((name) => name.replaceAll('\\', '/')),
    has: (part) => entries.has(normalize(part)),
    readPart,
    async readRelationships(part) {
      const [folder, name] = [part.slice(0, part.lastIndexOf('/') + 1), part.slice(part.lastIndexOf('/') + 1)];
      const found: Relationship[] = [];
      await readPart(`${folder}_rels/${name}.rels`, {
        open(element, { Id, Type = '', Target, TargetMode }) {
          if (element !== 'Relationship' || !Id || !Target || TargetMode === 'External') return;
          found.push({ id: Id, kind: Type.slice(Type.lastIndexOf('/') + 1), part: resolvePart(folder, Target) });
        },
      });
      return found;
    },
  };
}

function normalize(name: string): string {
  const plain = name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain; // it contains an unescaped percent sign
  }
}

function resolvePart(folder: string, target: string): string {
  try {
    return new URL(target.replaceAll('\\', '/'), `part:///${folder}`).pathname.slice(1);
  } catch {
    return target; // not an address: the part is not found
  }
}
