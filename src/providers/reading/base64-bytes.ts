// Decodes base64 that comes piece by piece, cut anywhere (RFC 4648, both alphabets, with padding or without).

/** Throws `Malformed` at the first character that is not base64. */
export type Base64Decoder = {
  /** Decodes the characters from `from` to `to` in place, and returns the complete bytes: they take less space. */
  pass(piece: Uint8Array, from: number, to: number): Uint8Array;
  /** Finishes the input. */
  end(): void;
};

/** The input is not in the expected form. */
export class MalformedBase64Error extends Error {}

const sextets = new Int8Array(256).fill(-1);
for (const alphabet of ['+/', '-_']) {
  const letters = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${alphabet}`;
  for (const [sextet, letter] of [...letters].entries()) sextets[letter.charCodeAt(0)] = sextet;
}
const equals = 0x3d;

export function createBase64Decoder(): Base64Decoder {
  let bits = 0;
  let bitCount = 0;
  let symbols = 0;
  let padding = 0;
  return {
    pass(piece, from, to) {
      let end = from;
      for (let at = from; at < to; at += 1) {
        const symbol = piece[at] ?? 0;
        const sextet = sextets[symbol] ?? -1;
        if (symbol === equals) {
          padding += 1;
          continue;
        }
        if (sextet < 0 || padding > 0) throw new MalformedBase64Error('a character that is not base64');
        symbols += 1;
        bits = ((bits & 0x3f) << 6) | sextet;
        bitCount += 6;
        if (bitCount < 8) continue;
        bitCount -= 8;
        piece[end] = (bits >> bitCount) & 0xff;
        end += 1;
      }
      return piece.subarray(from, end);
    },
    end() {
      const isWhole = symbols % 4 !== 1 && (padding === 0 || (padding <= 2 && (symbols + padding) % 4 === 0));
      if (!isWhole) throw new MalformedBase64Error('base64 that was cut off');
    },
  };
}
