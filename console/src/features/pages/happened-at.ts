/** The date of a page. Null: its source has no date, stored as the beginning of 1970. */
export function findPageDate({ occurred_at: at }: { occurred_at: string }): string | null {
  return Date.parse(at) === 0 ? null : at;
}
