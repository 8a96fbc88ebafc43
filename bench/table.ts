/** The result of a benchmark. */
export type Table = { title: string; rows: { name: string; value: string }[] };

/** The input of a benchmark. */
export type Bench = {
  /** The connection string of a new, empty database in the run's own PostgreSQL. */
  createDatabase(): Promise<string>;
  /** Prints PostgreSQL's log until the returned function is called. */
  onDatabaseLog(listener: (line: string) => void): () => void;
  /** Says which stage begins. */
  note(stage: string): void;
};

/** The value below which a share of the values lie; not a number when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** A time for a table. */
export function formatMilliseconds(milliseconds: number): string {
  return `${milliseconds.toFixed(Math.abs(milliseconds) < 10 ? 2 : 0)} ms`;
}

/** Whether a bar of it is missed, as its values say at their ends. */
export function hasMissed({ rows }: Table): boolean {
  return rows.some(({ value }) => value.endsWith('missed'));
}

/** The table as lines, its values in one column. */
export function formatTable({ title, rows }: Table): string {
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return [title, ...rows.map(({ name, value }) => `  ${name.padEnd(width)}  ${value}`)].join('\n');
}
