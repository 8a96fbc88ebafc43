// Which styles of a DOCX file hide their words (ECMA-376, part 1, 17.3.2.41 and 17.7.4).
import type { OfficePackage } from './office-package.ts';
import { findAttribute, type XmlAttributes } from './xml-events.ts';

/** A style: whether it hides words, where it says so, and the style that it builds on. */
type Style = { isHidden: boolean | undefined; basis: string | undefined };

const deepest = 20;

/** Whether an attribute `val` says no; an element without one says yes. */
export function isOff(attributes: XmlAttributes): boolean {
  return /^(?:0|false|off)$/.test(findAttribute(attributes, 'val') ?? '');
}

/** The ids of the styles whose words nobody sees. */
export async function readHiddenStyles(file: OfficePackage, part: string | undefined): Promise<Set<string>> {
  const styles = new Map<string, Style>();
  let style: Style | null = null;
  if (part)
    await file.readPart(part, {
      open(name, attributes) {
        if (name === 'style') {
          style = { isHidden: undefined, basis: undefined };
          styles.set(findAttribute(attributes, 'styleId') ?? '', style);
        } else if (style && name === 'basedOn') style.basis = findAttribute(attributes, 'val');
        else if (style && name === 'vanish') style.isHidden = !isOff(attributes);
      },
      close(name) {
        if (name === 'style') style = null;
      },
    });
  const isHidden = (id: string | undefined, depth = 0): boolean => {
    const found = id === undefined || depth > deepest ? undefined : styles.get(id);
    return found !== undefined && (found.isHidden ?? isHidden(found.basis, depth + 1));
  };
  return new Set([...styles.keys()].filter((id) => isHidden(id)));
}
