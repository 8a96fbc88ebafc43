// Checks the documents of the repository for the phrases that lint refuses in code (`plain-words`).
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findDialect } from './lint-rules/dialect.mjs';

/** What was published stays as it was, and a roadmap quotes. */
const unread = new Set(['CHANGELOG.md', 'docs/roadmap.md']);

/** The paragraphs of a text with the number of their first line, without code. */
function* readParagraphs(text: string): Generator<{ line: number; words: string }> {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  let line = 1;
  for (const block of text
    .replaceAll(/^ *(`{3,})[^]*?^ *\1/gm, blank)
    .replaceAll(/`[^`]*`/g, blank)
    .split('\n\n')) {
    yield { line, words: block.replaceAll(/\s+/g, ' ') };
    line += block.split('\n').length + 1;
  }
}

const tracked = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).split('\n');

for (const file of tracked.filter((name) => existsSync(name) && !unread.has(name)))
  for (const { line, words } of readParagraphs(readFileSync(file, 'utf8'))) {
    const message = findDialect(words);
    if (!message) continue;
    process.stderr.write(`${file}:${line}: ${message}\n`);
    process.exitCode = 1;
  }
