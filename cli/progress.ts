/** Prints the progress once a second, starting after three seconds. */
export function createProgress(): { say(text: string): void } {
  let next = Date.now() + 2_000;
  return {
    say(text) {
      if (Date.now() < next) return;
      next = Date.now() + 1_000;
      process.stderr.write(`${text}\n`);
    },
  };
}
