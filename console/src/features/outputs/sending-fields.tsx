import { TextField } from '../../design/field.tsx';
import { HeaderField, parseHeaderFields } from './header-fields.tsx';
import type { Destination } from './requests.ts';

/** Where and how a webhook is sent: its address, headers and rate. */
export function SendingFields({ of: destination }: { of?: Destination }) {
  return (
    <>
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        maxLength={2_000}
        defaultValue={destination?.output_destination_url}
        autoCapitalize="off"
        spellCheck={false}
        placeholder="https://hooks.example.com/in"
        hint="Events are sent there with POST."
      />
      <HeaderField {...(destination && { headers: destination.headers })} />
      <TextField
        label="Deliveries per minute, at most"
        name="rate"
        type="number"
        min={1}
        max={60_000}
        defaultValue={destination?.max_per_minute ?? undefined}
        placeholder="6000"
        hint="The others wait. Nothing is lost."
      />
    </>
  );
}

/** What the fields hold, as the operations take it. An empty rate changes nothing. */
export function parseSendingFields(form: FormData) {
  const rate = Number(form.get('rate'));
  return {
    output_destination_url: String(form.get('url')).trim(),
    headers: parseHeaderFields(String(form.get('headers'))),
    ...(rate > 0 && { max_per_minute: rate }),
  };
}
