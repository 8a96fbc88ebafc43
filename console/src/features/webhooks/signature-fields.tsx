import { SelectField, TextField } from '../../design/field.tsx';
import type { Connector } from '../../entities/webhook-connectors.ts';

type Signature = Connector['signature_settings'];

/** How any other sender signs with HMAC-SHA256: the header, its encoding, the text before the signature, and how the secret is written. */
export function SignatureFields({ of: { header, encoding, key, prefix } = {}, disabled = false }: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Signature header"
        name="header"
        defaultValue={header}
        maxLength={100}
        pattern="[\w\-]+"
        placeholder="x-signature"
        autoCapitalize="off"
        spellCheck={false}
        hint="Empty: usual headers are tried."
        disabled={disabled}
      />
      <SelectField label="Encoding" name="encoding" defaultValue={encoding ?? 'hex'} disabled={disabled}>
        <option value="hex">Hex</option>
        <option value="base64">Base64</option>
      </SelectField>
      <TextField
        label="Prefix"
        name="prefix"
        defaultValue={prefix}
        maxLength={40}
        placeholder="sha256="
        autoCapitalize="off"
        spellCheck={false}
        hint="The text before the signature."
        disabled={disabled}
      />
      <SelectField label="Secret written as" name="key" defaultValue={key ?? 'text'} disabled={disabled}>
        <option value="text">Text, which is the key itself</option>
        <option value="hex">Hex</option>
        <option value="base64">Base64</option>
      </SelectField>
    </div>
  );
}

type Props = { of?: Signature; disabled?: boolean };

/** What the fields hold, as the operations take it. */
export function parseSignatureFields(form: FormData): Signature {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const key = (['hex', 'base64'] as const).find((each) => each === text('key'));
  return {
    ...(text('header') && { header: text('header') }),
    ...(text('encoding') === 'base64' && { encoding: 'base64' }),
    ...(key && { key }),
    ...(text('prefix') && { prefix: text('prefix') }),
  };
}
