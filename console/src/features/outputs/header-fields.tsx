import { TextArea } from '../../design/field.tsx';

/** Headers of the person's own, one a line. */
export function HeaderField({ headers = {} }: { headers?: Record<string, string> }) {
  return (
    <TextArea
      label="Headers"
      name="headers"
      className="min-h-16 font-mono text-xs"
      defaultValue={Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n')}
      placeholder="Authorization: Bearer sec_…"
      spellCheck={false}
      hint="One per line, such as Name: value. A value may hold the placeholder (sec_…) of a secret."
    />
  );
}

/** The headers that were written, by name. */
export function parseHeaderFields(text: string): Record<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    }),
  );
}
