// Determines which styles of a DOCX file hide their words (ECMA-376, part 1, 17.3.2.41 and 17.7.4).
import type { OfficePackage } from './office-package.ts';
import { findAttribute, type XmlAttributes } from './xml-events.ts';

/** A style: whether it hides words, if it says so, and the style it is based on. */
type Style = { isHidden: boolean | undefined; basis: string | undefined };

const deepest = 20;

/** Whether an attribute `val` means no; an element without one means yes. */
function isOff(attributes: XmlAttributes): boolean {
  return /^(?:0|false|off)$/.test(findAttribute(attributes, 'val') ?? '');
}

/** The ids of the styles that hide their words. */
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

/** Whether the words of the current run are hidden: by its own properties, its style or the style of its paragraph. */
export function createVisibility(hiddenStyles: ReadonlySet<string>) {
  /** Of the open paragraphs, the innermost last. */
  const paragraphs: boolean[] = [];
  let isHidden = false;
  const hides = (attributes: XmlAttributes) => hiddenStyles.has(findAttribute(attributes, 'val') ?? '');
  return {
    isHidden: () => isHidden,
    /** `around`: the names of the surrounding elements, the innermost last. */
    begin(name: string, attributes: XmlAttributes, around: readonly string[]): void {
      const isOfRun = around.at(-1) === 'rPr' && around.at(-2) === 'r';
      if (name === 'p') paragraphs.push(false);
      else if (name === 'pStyle' && paragraphs.length > 0) paragraphs[paragraphs.length - 1] = hides(attributes);
      else if (name === 'r') isHidden = paragraphs.at(-1) ?? false;
      else if (name === 'rStyle' && isOfRun) isHidden ||= hides(attributes);
      else if (name === 'vanish' && isOfRun) isHidden = !isOff(attributes);
    },
    end(name: string): void {
      if (name === 'p') paragraphs.pop();
      if (name === 'r') isHidden = paragraphs.at(-1) ?? false;
    },
  };
}
