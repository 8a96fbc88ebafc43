/** The text of bytes in the charset they show, or that is given; windows-1252 when they fit none of these. */
export function decoded(bytes: Uint8Array, said?: string): string {
  const charset = charsetOf(bytes) ?? 'utf-8';
  return (
    decodedAs(bytes, charset) ??
    (said === undefined ? null : decodedAs(bytes, said)) ??
    decodedAs(bytes, declaredIn(bytes) ?? 'windows-1252') ??
    new TextDecoder('windows-1252').decode(bytes)
  );
}

function charsetOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** HTML and XML may name their charset inside. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString('latin1');
  return /<(?:meta\b[^>]*charset|\?xml\b[^>]*encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
}

function decodedAs(bytes: Uint8Array, charset: string): string | null {
  try {
    // With `stream`, a character that is cut at the end is left out.
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}
