/** The cosine of two vectors of one space, from -1 to 1. 0 when one of them is zero. */
export function computeCosine(one: Float32Array, other: Float32Array): number {
  let product = 0;
  let ofOne = 0;
  let ofOther = 0;
  for (const [at, a] of one.entries()) {
    const b = other[at] ?? 0;
    product += a * b;
    ofOne += a * a;
    ofOther += b * b;
  }
  return ofOne > 0 && ofOther > 0 ? product / Math.sqrt(ofOne * ofOther) : 0;
}
