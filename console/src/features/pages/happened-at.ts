/** When what a page tells happened; null where its source tells no time, which stands as the beginning of 1970. */
export function happenedAt({ occurred_at: at }: { occurred_at: string }): string | null {
  return Date.parse(at) === 0 ? null : at;
}
