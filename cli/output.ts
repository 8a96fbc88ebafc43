import { stripVTControlCharacters } from 'node:util';

/** Makes external text safe for a terminal: it cannot move the cursor, ring the bell or hide anything. */
export function toPrintable(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '');
}

/** Prints an answer: JSON for programs, indented lines for people. */
export function printAnswer(answer: unknown, options: { json?: boolean }): void {
  const text =
    options.json || !process.stdout.isTTY ? JSON.stringify(answer, null, options.json ? 0 : 2) : formatReadable(answer);
  process.stdout.write(`${text}\n`);
}

/** Nested values as indented lines, with a dash before each element of a list. */
function formatReadable(value: unknown, indent = ''): string {
  if (Array.isArray(value)) {
    if (!value.length) return `${indent}(none)`;
    return value.map((element) => `${indent}- ${formatReadable(element, `${indent}  `).trimStart()}`).join('\n');
  }
  if (typeof value !== 'object' || value === null) return `${indent}${toPrintable(String(value))}`;
  return Object.entries(value)
    .map(([name, field]) =>
      isFlat(field)
        ? `${indent}${name}: ${formatFlat(field)}`
        : `${indent}${name}:\n${formatReadable(field, `${indent}  `)}`,
    )
    .join('\n');
}

function isFlat(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((element) => typeof element !== 'object');
  return typeof value !== 'object' || value === null;
}

function formatFlat(value: unknown): string {
  return Array.isArray(value) ? toPrintable(value.join(', ')) || '(none)' : toPrintable(String(value));
}
