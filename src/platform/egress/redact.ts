// Takes secrets out of text that people, models or logs will read.

const mark = '[redacted]';
const credentialForms =
  /\b(bearer|basic)\s+(?=\S*\d)[\w.~+/=-]{12,}|\b(\w*(?:token|secret|password|api_?key))=[^&\s"']+/gi;

/**
 * `text` without the given values, also where they stand URL-encoded, JSON-escaped or inside base64, and without what
 * looks like a credential by its form (`Bearer …`, `access_token=…`).
 */
export function redactSecrets(text: string, secrets: readonly string[] = []): string {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf);
  forms.sort((a, b) => b.length - a.length);
  let clean = text;
  for (const form of forms) clean = clean.replaceAll(form, mark);
  return clean.replace(credentialForms, (_match, scheme: string | undefined, name: string | undefined) =>
    scheme === undefined ? `${name}=${mark}` : `${scheme} ${mark}`,
  );
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const lowerHex = encoded.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  return [secret, JSON.stringify(secret).slice(1, -1), encoded, lowerHex, form, ...base64Forms(secret)];
}

/** The letters that stand for the secret in base64 wherever it begins: three alignments, two alphabets. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < 6) return [];
  const aligned = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]);
    const firstWhole = Math.ceil((offset * 8) / 6);
    return whole.toString('base64').slice(firstWhole, Math.floor((whole.length * 8) / 6));
  });
  return aligned.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
}
