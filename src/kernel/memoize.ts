/** Memoizes a function by key, for a limited number of keys; at the limit it starts over. */
export function memoize<Made>(most: number, make: (key: string) => Made): (key: string) => Made {
  const known = new Map<string, Made>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size === most) known.clear();
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
