import type { ReactNode } from 'react';
import { Card, Tag } from '../../design/page.tsx';
import { narrowToEditedPart } from './edited-part.ts';
import { EditDiff } from './edit-diff.tsx';
import { EventView } from './event-view.tsx';
import { FieldList } from './field-list.tsx';
import { MailView } from './mail-view.tsx';
import { RestView } from './rest-view.tsx';
import { classifyPayload, getPayloadText } from './payload.ts';
import { listUnseenPreviewFields } from './preview-rest.ts';
import type { Draft, Payload } from './requests.ts';

type Props = { draft: Draft };

/** A preview of the payload: a mail looks like a mail. */
export function PayloadView({ draft }: Props) {
  return (
    <Card className="overflow-hidden">
      {draft.status === 'pending' && <EditedNote draft={draft} />}
      <PayloadBody draft={draft} />
    </Card>
  );
}

/** The edits of a pending draft, with their author. */
export function EditedNote({ draft }: Props) {
  const { edited, editable, payload } = narrowToEditedPart(draft);
  if (!edited) return null;
  const fields = editable.filter((field) => field in edited.was);
  return (
    <div className="border-b border-line px-5 py-3 text-[13px]">
      <p role="status" className="text-go">
        Edited by {edited.by}: {fields.map(formatFieldName).join(', ')}. This is what will be sent.
      </p>
      <EditDiff title="Changes" before={edited.was} after={payload} fields={fields} />
    </div>
  );
}

function formatFieldName(field: string): string {
  return field.replaceAll('_', ' ');
}

/** The same without its frame. */
export function PayloadBody({ draft }: Props): ReactNode {
  const { payload } = draft;
  switch (classifyPayload(payload)) {
    case 'email':
      return <WithKnown draft={draft} of={<MailView draft={draft} payload={payload} />} />;
    case 'event':
      return <WithKnown draft={draft} of={<EventView draft={draft} />} />;
    case 'file':
      return <WithKnown draft={draft} of={<FileView draft={draft} payload={payload} />} />;
    case 'other':
      return <FieldsView draft={draft} />;
  }
}

/** The server's and the provider's notes below the payload. The field preview has them among its fields. */
function WithKnown({ draft, of }: { draft: Draft; of: ReactNode }) {
  const { known } = draft;
  const rest = listUnseenPreviewFields(draft);
  return (
    <>
      {of}
      {rest.length > 0 && <FieldList title="More fields" fields={rest} />}
      {known.length > 0 && <FieldList title="Current details" fields={known} />}
    </>
  );
}

function FileView({ draft, payload }: { draft: Draft; payload: Payload }) {
  return (
    <>
      <div className="border-b border-line px-5 py-4">
        <h3 className="font-semibold wrap-anywhere">{getPayloadText(payload, 'name')}</h3>
        <p className="text-[13px] text-faint">
          {draft.preview.title} · {draft.account}
        </p>
      </div>
      <pre
        tabIndex={0}
        aria-label="Content"
        className="max-h-128 overflow-auto px-5 py-4 font-mono text-[13px] leading-relaxed whitespace-pre-wrap wrap-anywhere"
      >
        {getPayloadText(payload, 'content')}
      </pre>
      <RestView payload={payload} shown={['name', 'content']} />
    </>
  );
}

/** Any other action: what the server says will happen, field by field. */
function FieldsView({ draft }: Props) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-4">
        <h3 className="font-semibold">{draft.preview.title}</h3>
        <Tag>{draft.source}</Tag>
        <span className="text-[13px] text-faint">through {draft.account}</span>
      </div>
      <FieldList title={null} fields={draft.preview.fields} />
    </>
  );
}
