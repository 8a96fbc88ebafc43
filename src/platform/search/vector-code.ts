const highest = 127;

/**
 * The direction of a vector in one signed byte per number, scaled so that its largest number is 127. Cosines of such
 * codes differ from those of the vectors by about 0.001, at a quarter of the size.
 */
export function encodeVector(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const code = new Int8Array(vector.length);
  if (largest > 0) for (let at = 0; at < code.length; at += 1) code[at] = Math.round((vector[at]! / largest) * highest);
  return code;
}
