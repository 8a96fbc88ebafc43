/** Says how far work is, once a second from the third second on. */
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
