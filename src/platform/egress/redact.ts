// Takes secrets out of text that people, models or logs will read.
import { formsOf } from './secret-forms.ts';

const mark = '[redacted]';
const credentialForms =
  /\b(bearer|basic)\s+(?=\S*\d)[\w.~+/=-]{12,}|\b(\w*(?:token|secret|password|api_?key))=[^&\s"']+/gi;

/**
 * `text` without the given values, also where they are URL-encoded, JSON-escaped or inside base64, and without text in
 * the form of a credential (`Bearer …`, `access_token=…`).
 */
export function redactSecrets(text: string, secrets: readonly string[] = []): string {
  const clean = withoutForms(text, secrets.flatMap(formsOf));
  return clean.replace(credentialForms, (_match, scheme: string | undefined, name: string | undefined) =>
    scheme === undefined ? `${name}=${mark}` : `${scheme} ${mark}`,
  );
}

/** Forms that overlap are removed as one: of two secrets neither keeps a part of the other. */
function withoutForms(text: string, forms: readonly string[]): string {
  const spans = forms
    .flatMap((form) => placesOf(text, form))
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  let clean = '';
  let from = 0;
  for (const { start, end } of spans) {
    if (start >= from) clean += text.slice(from, start) + mark;
    from = Math.max(from, end);
  }
  return clean + text.slice(from);
}

function placesOf(text: string, form: string): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1))
    places.push({ start, end: start + form.length });
  return places;
}
