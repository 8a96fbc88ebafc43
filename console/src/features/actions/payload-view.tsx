import type { ReactNode } from 'react';
import { Card, Tag } from '../../design/page.tsx';
import { EventView } from './event-view.tsx';
import { MailView } from './mail-view.tsx';
import { RestView } from './rest-view.tsx';
import { kindOf, textIn } from './payload.ts';
import type { Draft, Payload } from './requests.ts';

type Props = { draft: Draft; payload: Payload; edited: readonly string[] };

/** What will be sent, in the shape of what it is: a mail looks like a mail. */
export function PayloadView({ draft, payload, edited }: Props) {
  return (
    <Card className="overflow-hidden">
      {edited.length > 0 && (
        <p role="status" className="border-b border-line bg-go-wash px-5 py-2 text-[13px] text-go">
          You changed {edited.map((field) => field.replaceAll('_', ' ')).join(', ')}. This is what will be sent.
        </p>
      )}
      <PayloadBody draft={draft} payload={payload} />
    </Card>
  );
}

/** The same without its frame. */
export function PayloadBody({ draft, payload }: { draft: Draft; payload: Payload }): ReactNode {
  switch (kindOf(payload)) {
    case 'email':
      return <MailView account={draft.account} payload={payload} />;
    case 'event':
      return <EventView account={draft.account} payload={payload} />;
    case 'file':
      return <FileView draft={draft} payload={payload} />;
    case 'other':
      return <FieldsView draft={draft} />;
  }
}

function FileView({ draft, payload }: { draft: Draft; payload: Payload }) {
  return (
    <>
      <div className="border-b border-line px-5 py-4">
        <h3 className="font-semibold wrap-anywhere">{textIn(payload, 'name')}</h3>
        <p className="text-[13px] text-faint">
          {draft.preview.title} · {draft.account}
        </p>
      </div>
      <pre
        tabIndex={0}
        aria-label="Content"
        className="max-h-128 overflow-auto px-5 py-4 font-mono text-[13px] leading-relaxed whitespace-pre-wrap wrap-anywhere"
      >
        {textIn(payload, 'content')}
      </pre>
      <RestView payload={payload} shown={['name', 'content']} />
    </>
  );
}

/** Any other action: what the server says will happen, field by field. */
function FieldsView({ draft }: { draft: Draft }) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-4">
        <h3 className="font-semibold">{draft.preview.title}</h3>
        <Tag>{draft.source}</Tag>
      </div>
      <dl className="divide-y divide-line">
        {draft.preview.fields.map(({ label, text }) => (
          <div key={label} className="px-5 py-3 sm:grid sm:grid-cols-[9rem_1fr] sm:gap-4">
            <dt className="text-[13px] text-faint">{label}</dt>
            <dd className="text-sm leading-relaxed whitespace-pre-wrap wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
