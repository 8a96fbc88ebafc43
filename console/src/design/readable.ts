/** JSON with its fields below each other; other text as it is. */
export function formatReadableText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
