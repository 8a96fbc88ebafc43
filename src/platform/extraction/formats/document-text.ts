// The shared parts of the readers of word processing files: the text of a document with its boxes, and the order of its
// parts.
import { createTextFlow, type TextFlow } from '../text-flow.ts';

/** Tables in documents contain data; very long cells are columns of a page layout. */
const tables = { longestCell: 5_000, mostCellLines: 30, keepsBlankCells: true };

/** Texts nested deeper than this are read as part of the deepest one: each level copies the words inside it. */
const mostAsides = 20;

/** The text of a part in which boxes and notes are inside paragraphs. */
export type DocumentText = TextFlow & {
  /** Everything until `endAside` is a separate text, which `endAside` returns. */
  beginAside(): void;
  endAside(): string;
  /** Keeps the text of a box until the surrounding paragraph ends. */
  keepBox(text: string): void;
  beginParagraph(): void;
  /** Ends a paragraph; its boxes follow it. */
  endParagraph(): void;
};

type Level = { flow: TextFlow; boxes: string[]; paragraphs: number };

/** Opens the text of a part. */
export function createDocumentText(): DocumentText {
  const levels: Level[] = [createLevel()];
  let deeper = 0;
  const current = () => levels.at(-1)!;
  const call =
    <Name extends Exclude<keyof TextFlow, 'read'>>(name: Name) =>
    (...given: Parameters<TextFlow[Name]>) =>
      (current().flow[name] as (...all: Parameters<TextFlow[Name]>) => void)(...given); // each returns nothing
  return {
    write: call('write'),
    separate: call('separate'),
    breakLine: call('breakLine'),
    beginBlock: call('beginBlock'),
    beginIndent: call('beginIndent'),
    endIndent: call('endIndent'),
    beginTable: call('beginTable'),
    endTable: call('endTable'),
    beginRow: call('beginRow'),
    endRow: call('endRow'),
    beginCell: call('beginCell'),
    endCell: call('endCell'),
    markAsData: call('markAsData'),
    read: () => levels[0]!.flow.read(),
    beginAside() {
      if (levels.length > mostAsides) deeper += 1;
      else levels.push(createLevel());
    },
    endAside() {
      if (deeper === 0) return levels.length > 1 ? levels.pop()!.flow.read() : '';
      deeper -= 1;
      return '';
    },
    keepBox(text) {
      if (text) current().boxes.push(text);
    },
    beginParagraph() {
      current().paragraphs += 1;
      current().flow.beginBlock(2);
    },
    endParagraph() {
      const level = current();
      level.paragraphs -= 1;
      level.flow.beginBlock(2);
      if (level.paragraphs > 0) return;
      for (const box of level.boxes.splice(0)) {
        writeLines(level.flow, box);
        level.flow.beginBlock(2);
      }
    },
  };
}

function createLevel(): Level {
  return { flow: createTextFlow(tables), boxes: [], paragraphs: 0 };
}

function writeLines(flow: TextFlow, text: string): void {
  for (const [at, line] of text.split('\n').entries()) {
    if (at > 0) flow.breakLine();
    flow.write(line);
  }
}

/** The texts of a document's parts. Notes are in the order of their marks. */
export type DocumentParts = {
  headers?: readonly string[];
  body: string;
  boxes?: readonly string[];
  footers?: readonly string[];
  notes?: readonly string[];
  comments?: readonly string[];
};

/** The whole text: headers, body, boxes, footers, notes, comments. Text that several pages repeat appears once. */
export function joinDocument({
  headers = [],
  body,
  boxes = [],
  footers = [],
  notes = [],
  comments = [],
}: DocumentParts): string {
  const parts = [...trimAndDedupe(headers), body, ...boxes, ...trimAndDedupe(footers), ...notes, ...comments];
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
}

function trimAndDedupe(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()))];
}
