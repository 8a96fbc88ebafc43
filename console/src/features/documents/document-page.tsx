import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import type { MenuAction } from '../../design/more-menu.tsx';
import { ObjectPage } from '../../design/object-page.tsx';
import { SaveButton } from '../../design/save-button.tsx';
import { formatByteCount } from '../../design/size.ts';
import { useHasScope } from '../../entities/me.ts';
import { DocumentText } from './document-text.tsx';
import { deleteDocument, buildDocumentQuery, type Topic } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Search parameters of a document's page: the line to show. */
export type DocumentAddress = { line?: number | undefined };

type Props = { documentId: string; line: number; onJump: (line: number) => void };

/** A document with its topics and its text. A topic links to its lines. */
export function DocumentPage({ documentId, line, onJump }: Props) {
  const query = useQuery(buildDocumentQuery(documentId));
  const { dialog, more } = useDeletion(documentId);
  const { data } = query;
  const facts = data && [
    data.format.toUpperCase(),
    formatByteCount(data.size),
    `${data.lines.toLocaleString()} lines`,
    `added by ${data.created_by}`,
  ];
  return (
    <ObjectPage
      title={data?.title ?? 'Document'}
      lead={facts?.join(' · ')}
      noun="document"
      query={query}
      action={data && <SaveButton path={`/v1/documents/${documentId}/content`}>Download</SaveButton>}
      more={data && more}
    >
      {data && (
        <div className="gap-8 md:grid md:grid-cols-[16rem_minmax(0,1fr)]">
          {data.constellations.length > 0 && <Topics of={data.constellations} line={line} onJump={onJump} />}
          <DocumentText key={line} documentId={documentId} line={line} />
        </div>
      )}
      {dialog}
    </ObjectPage>
  );
}

function Topics({ of, line, onJump }: { of: readonly Topic[]; line: number; onJump: (line: number) => void }) {
  return (
    <nav aria-label="Topics" className="mb-6 md:sticky md:top-6 md:max-h-[85dvh] md:self-start md:overflow-y-auto">
      <h2 className="mb-2 text-[13px] font-medium text-soft">Topics</h2>
      <ul className="space-y-3">
        {of.map(({ id, label, line_ranges: ranges }) => (
          <li key={id}>
            <p className="text-sm wrap-anywhere">{label}</p>
            <p className="flex flex-wrap gap-x-2 text-[13px]">
              {ranges.map(({ start, end }) => (
                <button
                  key={start}
                  type="button"
                  aria-current={start === line ? 'true' : undefined}
                  className="rounded text-soft underline decoration-line underline-offset-2 hover:text-ink aria-[current=true]:font-medium aria-[current=true]:text-ink"
                  onClick={() => onJump(start)}
                >
                  {start === end ? `Line ${start}` : `Lines ${start}–${end}`}
                </button>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function useDeletion(documentId: string): { dialog: ReactNode; more: readonly MenuAction[] } {
  const mayDelete = useHasScope('documents:delete');
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const deleting = useCall(() => deleteDocument(documentId), {
    refreshes: ['documents'],
    success: 'Document deleted',
    onSuccess: () => navigate({ to: '/library/documents' }),
    failure: 'The document was not deleted',
  });
  return {
    more: mayDelete ? [{ label: 'Delete', icon: <Trash2 />, isDanger: true, onSelect: () => setIsAsking(true) }] : [],
    dialog: (
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete this document?"
        description="Search no longer finds its text. Memories that were learned from it stay."
        act="Delete document"
        isBusy={deleting.isBusy}
        onConfirm={() => deleting.call()}
      />
    ),
  };
}
