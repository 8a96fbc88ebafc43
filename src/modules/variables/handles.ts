// Handles: the stand-ins for values in code and text.
import { randomInt } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 24;

/**
 * A new handle: `sec_` and 24 letters and digits, which URL encoding does not change. It is a name and gives no access.
 */
export function generateHandle(): string {
  return `sec_${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`;
}
