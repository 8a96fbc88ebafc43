// Asks recheck (https://makenowjust-labs.github.io/recheck) whether a regular expression takes linear time.
import { checkSync } from 'recheck';

/** The pure JavaScript version, which installs neither Java nor a native program. */
process.env['RECHECK_BACKEND'] = 'pure';

const longestMs = 60_000;

/** Whether `/pattern/flags` is safe against every text. One that recheck cannot tell about in a minute is not. */
export function isLinear(regexp: string): boolean {
  const end = regexp.lastIndexOf('/');
  return checkSync(regexp.slice(1, end), regexp.slice(end + 1), { timeout: longestMs }).status === 'safe';
}
