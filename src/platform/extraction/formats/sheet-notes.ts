// Content of a sheet besides its cells: comments, and the words of shapes and charts.
import { decodeEscapes, tidyCell } from './sheet.ts';
import type { OfficePackage, Relationship } from './office-package.ts';

type Comment = { place: string; author: string; text: string };

/** Excel writes this comment for older programs; the real one is among the threaded comments. */
const stand = /^\[Threaded comment\]/i;
const drawings = new Set(['drawing', 'chart', 'chartEx']);

/** One line for each comment of a sheet, in the order of the file. `authors`: people's names by id. */
export async function readComments(
  parts: OfficePackage,
  relationships: readonly Relationship[],
  authors: ReadonlyMap<string, string>,
): Promise<string[]> {
  const comments: Comment[] = [];
  for (const { kind, part } of relationships) {
    if (kind === 'comments') comments.push(...(await readPlainComments(parts, part)));
    if (kind === 'threadedComment') comments.push(...(await readThreadedComments(parts, part, authors)));
  }
  return comments.flatMap(({ place, author, text }) => {
    const words = tidyCell(decodeEscapes(text));
    if (!words || stand.test(words)) return [];
    const said = author && words.startsWith(`${author}:`) ? words.slice(author.length + 1).trim() : words;
    return [`Comment on ${place}${author ? ` by ${author}` : ''}: ${said}`];
  });
}

async function readPlainComments(parts: OfficePackage, part: string): Promise<Comment[]> {
  const comments: Comment[] = [];
  const authors: string[] = [];
  let [words, isAuthor, readings] = ['', false, 0];
  let isText = false;
  await parts.readPart(part, {
    open(name, { ref, authorId }) {
      if (name === 'author') [words, isAuthor] = ['', true];
      else if (name === 'comment')
        comments.push({ place: ref ?? '', author: authors[Number(authorId)] ?? '', text: '' });
      else if (name === 'rPh') readings += 1;
      else if (name === 't') isText = !readings;
    },
    text(text) {
      const comment = comments.at(-1);
      if (isAuthor) words += text;
      else if (isText && comment) comment.text += text;
    },
    close(name) {
      if (name === 'author') {
        authors.push(tidyCell(words));
        isAuthor = false;
      } else if (name === 't') isText = false;
      else if (name === 'rPh') readings -= 1;
    },
  });
  // For a threaded comment, the id of its thread.
  return comments.map((comment) => (comment.author.startsWith('tc=') ? { ...comment, author: '' } : comment));
}

async function readThreadedComments(parts: OfficePackage, part: string, authors: ReadonlyMap<string, string>) {
  const comments: Comment[] = [];
  let isText = false;
  await parts.readPart(part, {
    open(name, { ref = '', personId = '' }) {
      if (name === 'threadedComment') comments.push({ place: ref, author: authors.get(personId) ?? '', text: '' });
      isText = name === 'text';
    },
    text(text) {
      const comment = comments.at(-1);
      if (isText && comment) comment.text += text;
    },
    close(name) {
      if (name === 'text') isText = false;
    },
  });
  return comments;
}

/** The authors of threaded comments, by id. */
export async function readCommentAuthors(parts: OfficePackage, part: string): Promise<Map<string, string>> {
  const people = new Map<string, string>();
  await parts.readPart(part, {
    open(name, { id, displayName }) {
      if (name === 'person' && id && displayName) people.set(id, displayName);
    },
  });
  return people;
}

/** One line for each text box, shape and chart title. */
export async function readShapes(parts: OfficePackage, relationships: readonly Relationship[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { kind, part } of relationships) {
    if (!drawings.has(kind)) continue;
    lines.push(...(await readShapeTexts(parts, part)));
    if (kind === 'drawing') lines.push(...(await readShapes(parts, listCharts(await parts.readRelationships(part)))));
  }
  return lines;
}

function listCharts(relationships: readonly Relationship[]): Relationship[] {
  return relationships.filter(({ kind }) => kind !== 'drawing');
}

async function readShapeTexts(parts: OfficePackage, part: string): Promise<string[]> {
  const lines: string[] = [];
  let [words, isText, fallbacks] = ['', false, 0];
  await parts.readPart(part, {
    open(name) {
      if (name === 'Fallback') fallbacks += 1; // the same shape again, for older programs
      else if (name === 'txBody' || name === 'rich') words = '';
      else if (name === 't') isText = !fallbacks;
    },
    text(text) {
      if (isText) words += text;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'p') words += '\n';
      else if (name === 'Fallback') fallbacks -= 1;
      else if (name === 'txBody' || name === 'rich') {
        const line = tidyCell(words);
        if (line && !fallbacks) lines.push(line);
      }
    },
  });
  return lines;
}
