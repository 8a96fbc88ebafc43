// How large a benchmark is: whole, or the smallest that runs every line once, which the deep tests do so that none rots.

/** With `--smallest` figures mean nothing, and a missed bar fails nothing. */
export const isSmallest = process.argv.includes('--smallest');

/** How many of something: all, or the least with which the benchmark still runs. */
export function chooseSize(whole: number, smallest: number): number {
  return isSmallest ? smallest : whole;
}
