// Puts the settings of an automation into its source, where their names stand in double braces.

/** A setting; those of a recipe are called inputs.<name> and ids.<slug>. */
const placeholder = /\{\{\s*((?:(?:inputs|ids)\.)?[a-z0-9_-]{1,100})\s*\}\}/g;

/**
 * The source with the value of each setting instead of `{{name}}`; other names stay, and may be secrets. A value stays within the text around it, in TypeScript and in Python.
 */
export function fillSettings(source: string, settings: Readonly<Record<string, string>>): string {
  return source.replaceAll(placeholder, (text, name: string) =>
    Object.hasOwn(settings, name) ? escapeInText(settings[name] ?? '') : text,
  );
}

/** What could end a text, begin an expression in it, or end its line. */
const ending = /[\\'"`${}\p{Cc}\u2028\u2029]/gu;

function escapeInText(value: string): string {
  return value.replaceAll(ending, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
