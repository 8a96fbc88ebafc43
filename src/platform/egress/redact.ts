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
  const forms = secrets.flatMap(formsOf);
  forms.sort((a, b) => b.length - a.length);
  let clean = text;
  for (const form of forms) clean = clean.replaceAll(form, mark);
  return clean.replace(credentialForms, (_match, scheme: string | undefined, name: string | undefined) =>
    scheme === undefined ? `${name}=${mark}` : `${scheme} ${mark}`,
  );
}
