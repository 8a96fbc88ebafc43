/** Search parameters as the router read them. A page's `validateSearch` makes its own of them, and drops all others. */
export type Search = Record<string, unknown>;

/** A text that is not empty. The router reads bare numbers as numbers. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
}

/** One of the given words. */
export function readChoice<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}

/** A path of this console. A forged link could name another site. */
export function readOwnPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/') || /[\p{Cc}\p{Cf}\\]/u.test(value)) return undefined;
  return new URL(value, location.origin).origin === location.origin ? value : undefined;
}
