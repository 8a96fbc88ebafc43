/** The same answer for the same key without making it again, for as many keys as that; then it begins anew. */
export function remembered<Made>(most: number, make: (key: string) => Made): (key: string) => Made {
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
