/** Formats a count with its noun: “1 event”, “3 events”, “2 memories”. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? noun : plural}`;
}
