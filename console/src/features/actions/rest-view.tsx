import { listUnshownFields } from './payload.ts';
import type { Payload } from './requests.ts';

/** All other fields of a payload, so that nothing is sent unseen. */
export function RestView({ payload, shown }: { payload: Payload; shown: readonly string[] }) {
  const rest = listUnshownFields(payload, shown);
  if (!rest.length) return null;
  return (
    <dl className="space-y-1 border-t border-line px-5 py-3.5 text-[13px] sm:px-6">
      {rest.map(([field, text]) => (
        <div key={field} className="grid grid-cols-[7rem_1fr] gap-2">
          <dt className="text-faint">{field}</dt>
          <dd className="wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
