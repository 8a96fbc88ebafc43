import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { ListPage } from '../../design/list-page.tsx';
import { ListRow } from '../../design/list-row.tsx';
import { formatByteCount } from '../../design/size.ts';
import { Ago } from '../../design/time.tsx';
import { meQuery } from '../../entities/me.ts';
import { brainsQuery } from '../../entities/brains.ts';
import { documentsQuery, type Document } from './requests.ts';
import { UploadArea } from './upload-area.tsx';

/** The documents that the person may read, and where more are uploaded. */
export function DocumentsPage() {
  const query = useInfiniteQuery(documentsQuery);
  const { data: me } = useQuery(meQuery);
  return (
    <ListPage
      title="Documents"
      lead="Upload files. Agents search their text and read it line by line."
      above={me?.scopes.includes('memory:write') && <UploadArea homeBrainId={me.home_brain_id} />}
      noun="documents"
      query={{ ...query, data: query.data?.pages.flatMap(({ documents }) => documents) }}
      getKey={({ id }) => id}
      renderRow={(document) => <Row of={document} />}
      empty={{
        icon: <FileText />,
        title: 'No documents yet',
        children: 'Drop a file above, or have a connected agent upload one.',
      }}
    />
  );
}

function Row({ of: { id, title, format, size, pages, brain_id, reference_count, created_at } }: { of: Document }) {
  const { data: brains } = useQuery(brainsQuery);
  const brain = brains?.find((each) => each.id === brain_id);
  const facts = [
    format.toUpperCase(),
    pages !== null && (pages === 1 ? '1 page' : `${pages.toLocaleString()} pages`),
    formatByteCount(size),
    brain?.name,
    reference_count > 0 && (reference_count === 1 ? 'Learned from once' : `Learned from ${reference_count} times`),
  ];
  return (
    <ListRow
      name={title}
      detail={facts.filter(Boolean).join(' · ')}
      link={linkOptions({
        to: '/library/documents/$documentId',
        params: { documentId: id },
        search: { line: undefined },
      })}
    >
      <Ago at={created_at} />
    </ListRow>
  );
}
