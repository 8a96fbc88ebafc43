// Handles: the stand-ins of values in code and text.
import { randomInt } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 24;

/** A new handle: `sec_` and 24 letters and digits, which URL encoding leaves as they are. It is a name, and no capability. */
export function generateHandle(): string {
  return `sec_${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`;
}
