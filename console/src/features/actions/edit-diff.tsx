import { formatPayloadField } from './payload.ts';
import type { Payload } from './requests.ts';
import { Words } from './words.tsx';

type Props = { title: string; before: Payload; after: Payload; fields: readonly string[] };

/** The edits of a person, word by word. */
export function EditDiff({ title, before, after, fields }: Props) {
  return (
    <dl aria-label={title} className="mt-2 space-y-1.5 text-ink">
      {fields.map((field) => (
        <div key={field} className="sm:grid sm:grid-cols-[7rem_1fr] sm:gap-3">
          <dt className="text-faint">{field.replaceAll('_', ' ')}</dt>
          <dd className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
            <Words before={formatPayloadField(before, field)} after={formatPayloadField(after, field)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
