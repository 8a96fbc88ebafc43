/** About 500 tokens: what small models read, and little enough that a piece is about one thing. */
const longestPiece = 2_000;
const mostPieces = 32;

/** So much of a body is embedded; what comes after is found by its words alone. */
export const embeddedCharacters = longestPiece * mostPieces;

/** Where a piece may end, the better first. */
const breaks = ['\n\n', '\n', '. ', ' '] as const;

/** The pieces of a text that are embedded, each under its title. None when there is no text. */
export function piecesOf(title: string | null, body: string): string[] {
  const head = title?.trim() ? `${title.trim()}\n` : '';
  const pieces = split(body.trim()).map((piece) => `${head}${piece}`.trim());
  return pieces.length > 0 || head === '' ? pieces : [head.trim()];
}

function split(body: string): string[] {
  const pieces: string[] = [];
  let rest = body;
  while (rest !== '' && pieces.length < mostPieces) {
    const end = endOfPiece(rest);
    const piece = rest.slice(0, end).trim();
    if (piece !== '') pieces.push(piece);
    rest = rest.slice(end).trimStart();
  }
  return pieces;
}

function endOfPiece(text: string): number {
  if (text.length <= longestPiece) return text.length;
  for (const each of breaks) {
    const at = text.lastIndexOf(each, longestPiece - each.length);
    if (at > longestPiece / 2) return at + each.length;
  }
  // Half of a surrogate pair is no character.
  return /[\ud800-\udbff]/.test(text[longestPiece - 1] ?? '') ? longestPiece - 1 : longestPiece;
}
