/** A list as a title has it: of many the first two, and how many more there are. */
export function fewOf(list: readonly unknown[]): string {
  return list.length <= 3 ? list.join(', ') : `${list.slice(0, 2).join(', ')} and ${list.length - 2} more`;
}
