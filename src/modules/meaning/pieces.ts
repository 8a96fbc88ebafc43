/** About 500 tokens: the input of small models, and short enough that a piece has one subject. */
const longestPiece = 2_000;
const mostPieces = 32;

/** The embedded part of a body; later text is found only by its words. */
export const embeddedCharacters = longestPiece * mostPieces;

/** Where a piece may end, the best first. */
const breaks = ['\n\n', '\n', '. ', ' '] as const;

/** The pieces of a text for embedding, each under its title. None without a text. */
export function splitIntoPieces(title: string | null, body: string): string[] {
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
  // Half of a surrogate pair is not a character.
  return /[\ud800-\udbff]/.test(text[longestPiece - 1] ?? '') ? longestPiece - 1 : longestPiece;
}
