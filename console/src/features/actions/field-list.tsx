import { formatExactMoment } from '../../design/time.tsx';
import type { Preview } from './requests.ts';
import { Words } from './words.tsx';

type Field = Preview['fields'][number];
type Props = { title: string | null; fields: readonly Field[] };

/** The fields of a preview from the server. Changed fields also show their former value. */
export function FieldList({ title, fields }: Props) {
  return (
    <section aria-label={title ?? undefined} className="border-b border-line last:border-b-0">
      {title && <h4 className="px-5 pt-3 text-[13px] font-medium text-soft">{title}</h4>}
      <dl className="divide-y divide-line">
        {fields.map((field) => (
          <div key={field.label} className="px-5 py-3 sm:grid sm:grid-cols-[9rem_1fr] sm:gap-4">
            <dt className="text-[13px] text-faint">{field.label}</dt>
            <dd className="text-sm leading-relaxed whitespace-pre-wrap wrap-anywhere">
              <FieldText {...field} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Long texts mark the changed words, short ones show both values. */
function FieldText({ text, was }: Field) {
  if (was === undefined) return <Text text={text} />;
  if (isLong(text) && isLong(was)) return <Words before={was} after={text} />;
  return (
    <>
      <Text text={text} />
      <span className="mt-0.5 block text-[13px] text-faint">
        Was: <Text text={was} />
      </span>
    </>
  );
}

function isLong(text: string): boolean {
  return text.length > 80 || text.includes('\n');
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** The value as sent. A time is also shown in the reader's time zone. */
function Text({ text }: { text: string }) {
  if (!moment.test(text)) return text;
  return (
    <time dateTime={text}>
      {text} <span className="text-faint">· {formatExactMoment(text)}</span>
    </time>
  );
}
