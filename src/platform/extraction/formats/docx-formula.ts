// Writes the formulas of Word files (ECMA-376, part 1, 22.1) on one line: `a/b`, `x^2`, `√(n+1)`, `∑_(i=1)^n`.
import type { DocumentText } from './document-text.ts';
import { findAttribute, type XmlAttributes } from './xml-events.ts';

/** The text before a part of a formula. A part of more than one character is put in brackets. */
const signs: Readonly<Record<string, string>> = { num: '', den: '/', sub: '_', sup: '^', deg: '' };

/** The elements that form a formula. */
const forms = new Set([...Object.keys(signs), 'rad', 'd', 'e', 'nary']);

type Brackets = { begin: string; end: string; between: string; parts: number };

/** Returns whether an element belongs to a formula's structure; its text is read like other text. */
export type FormulaReader = {
  open(name: string, attributes: XmlAttributes, parent: string | undefined): boolean;
  close(name: string): boolean;
};

/** Reads the formulas within a text. */
export function createFormulaReader(text: DocumentText): FormulaReader {
  const parents: string[] = [];
  const brackets: Brackets[] = [];
  let formulas = 0;
  let operator = '';

  function open(name: string, attributes: XmlAttributes, parent: string | undefined): boolean {
    if (name === 'oMath') formulas += 1;
    if (formulas === 0) return false;
    const value = findAttribute(attributes, 'val');
    if (name in signs) text.beginAside();
    else if (name === 'rad') text.write('√');
    else if (name === 'nary') operator = '∫';
    else if (name === 'd') brackets.push({ begin: '(', end: ')', between: '|', parts: 0 });
    else if (parent === 'dPr') setBrackets(brackets.at(-1), name, value ?? '');
    else if (name === 'chr' && parent === 'naryPr') operator = value ?? operator;
    else if (name === 'e') beginPart(parent);
    if (forms.has(name)) parents.push(parent ?? '');
    return forms.has(name);
  }

  function beginPart(parent: string | undefined): void {
    const around = brackets.at(-1);
    if (parent === 'd' && around) {
      text.write(around.parts > 0 ? around.between : around.begin);
      around.parts += 1;
    } else if (parent === 'rad') text.beginAside();
    else if (parent === 'mr' || parent === 'func') text.separate();
  }

  function close(name: string): boolean {
    if (formulas === 0) return false;
    if (name === 'oMath') formulas -= 1;
    const isForm = forms.has(name);
    const parent = isForm ? parents.pop() : undefined;
    if (name in signs) writePart(text, signs[name]!, text.endAside());
    else if (name === 'e' && parent === 'rad') writePart(text, '', text.endAside());
    else if (name === 'naryPr') text.write(operator || '∫');
    else if (name === 'mr') text.write(';');
    else if (name === 'd') text.write(brackets.pop()?.end ?? '');
    return isForm;
  }

  return { open, close };
}

function setBrackets(around: Brackets | undefined, name: string, value: string): void {
  if (!around) return;
  if (name === 'begChr') around.begin = value;
  if (name === 'endChr') around.end = value;
  if (name === 'sepChr') around.between = value;
}

function writePart(text: DocumentText, sign: string, part: string): void {
  if (part === '') return;
  text.write(sign + ([...part].length > 1 ? `(${part})` : part));
}
