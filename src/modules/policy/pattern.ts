// Patterns of rules: `*` matches any characters, and case does not matter.

/** Whether a text fits a pattern. */
export function compilePattern(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  return (text) => {
    const whole = text.trim().toLowerCase();
    if (last === undefined) return whole === first;
    if (!whole.startsWith(first)) return false;
    let from = first.length;
    for (const part of rest) {
      const at = whole.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return whole.length - last.length >= from && whole.endsWith(last);
  };
}

/** Like `fits`; of `Ana <ana@example.com>` the address counts. */
export function compileAddressPattern(pattern: string): (text: string) => boolean {
  const isFitting = compilePattern(pattern);
  return (text) => isFitting(extractAddress(text));
}

/** Whether any text matches both. */
export function canBothMatch(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  // Whether the ends of `a` and `b` have a common text, computed backwards; `below` is for one character of `a` more.
  let below: boolean[] = [];
  for (let i = a.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = b.length; j >= 0; j -= 1) {
      const isStar = a[i] === '*' || b[j] === '*'; // the star ends here, or matches the character of the other pattern
      if (i === a.length && j === b.length) row[j] = true;
      else if (isStar) row[j] = (below[j] ?? false) || (row[j + 1] ?? false);
      else row[j] = a[i] === b[j] && (below[j + 1] ?? false);
    }
    below = row;
  }
  return below[0] ?? false;
}

/** Of `Ana <ana@example.com>` only the address. */
export function extractAddress(text: string): string {
  return /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
}
