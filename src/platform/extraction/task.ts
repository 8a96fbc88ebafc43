import type { FileError } from './file-error.ts';
import type { NamedFile } from './format.ts';
import type { Limits } from './limits.ts';
import type { Passage } from './passages.ts';
import type { FileText } from './read-text.ts';
import type { Constellation } from './scan.ts';

/** The task of the process: the file to read, and the file for the answer, with one line of JSON for each part. */
export type Task = {
  path: string;
  out: string;
  file: NamedFile;
  limits: Limits;
  /** If set, the text is scanned by the rules of this language. */
  language: string | null;
  /** Without a scan: how many characters are returned. */
  mostText: number;
};

type FileFacts = Omit<FileText, 'text'> & { characters: number };

export type ScannedPassage = {
  position: number;
  text: string;
  line_start: number;
  line_end: number;
  continues: boolean;
  /** The number of its constellation. */
  group: number;
};

/** A passage with its text. */
export function buildScannedPassage(
  text: string,
  passage: Passage & { group: number },
  position: number,
): ScannedPassage {
  return {
    position,
    text: text.slice(passage.from, passage.to).toWellFormed(),
    line_start: passage.lineStart,
    line_end: passage.lineEnd,
    continues: passage.continues,
    group: passage.group,
  };
}

export type DocumentAnswer = FileFacts & { lines: number; passages: number; constellations: Constellation[] };

export type Answer =
  | { kind: 'error'; code: FileError['code']; message: string }
  | (FileFacts & { kind: 'text'; text: string })
  | (DocumentAnswer & { kind: 'document' })
  | (ScannedPassage & { kind: 'passage' });
