/** Lets so many pieces of work run at a time; the rest wait in order. */
export type Gate = { pass<T>(work: () => Promise<T>): Promise<T>; isEmpty(): boolean };

export function createGate(places: number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    async pass(work) {
      if (inside >= places) await new Promise<void>((enter) => waiting.push(enter));
      else inside += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else inside -= 1;
      }
    },
    isEmpty: () => inside === 0,
  };
}
