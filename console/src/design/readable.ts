/** JSON with one field on each line; other text unchanged. */
export function formatReadableText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
