// The text of a part of a mail: its charset, and the lines that its program broke (RFC 3676).
import { decodeText } from './charset.ts';

/** Parameters of the header Content-Type, by name in lower case. */
export type TextParameters = Readonly<Record<string, string | undefined>>;

/** The decoded text of a part. Lines that were broken only for their length are joined. */
export function readPartText(bytes: Uint8Array, type: string, parameters: TextParameters): string {
  const text = decodeText(bytes, parameters['charset']);
  const isFlowed = type === 'text/plain' && parameters['format']?.toLowerCase() === 'flowed';
  return isFlowed ? joinFlowedLines(text, parameters['delsp']?.toLowerCase() === 'yes') : text;
}

const signature = '-- ';

/**
 * A line that ends with a space continues in the next line of the same quotation depth. `isBlankAdded`: the space is
 * not part of the text.
 */
function joinFlowedLines(text: string, isBlankAdded: boolean): string {
  const lines: string[] = [];
  let open: { depth: number; parts: string[] } | null = null;
  const close = () => {
    if (open) lines.push(`${'>'.repeat(open.depth)}${open.depth > 0 ? ' ' : ''}${open.parts.join('')}`);
    open = null;
  };
  for (const line of text.split(/\r?\n/)) {
    const { depth, words } = readLine(line);
    const isSignature = words === signature;
    if (open && ((open as { depth: number }).depth !== depth || isSignature)) close();
    const isOpen = words.endsWith(' ') && !isSignature;
    open ??= { depth, parts: [] };
    open.parts.push(isOpen && isBlankAdded ? words.slice(0, -1) : words);
    if (!isOpen) close();
  }
  close();
  return lines.join('\n');
}

function readLine(line: string): { depth: number; words: string } {
  let depth = 0;
  while (line[depth] === '>') depth += 1;
  const words = line.slice(depth);
  return { depth, words: words.startsWith(' ') ? words.slice(1) : words };
}
