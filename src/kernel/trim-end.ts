/** A text without the given letters at its end. A regular expression would search for the end again at each of them. */
export function trimLetters(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
