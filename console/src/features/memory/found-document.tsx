import { Link } from '@tanstack/react-router';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import type { MemorySearchResult } from './requests.ts';

/** A search result in a document: the best lines, with their place. */
export function FoundDocument({ found }: { found: MemorySearchResult }) {
  const source = found.document_source;
  if (!source) return null;
  const { passage, document_title, document_id } = source;
  return (
    <li className="px-4 py-3.5 sm:px-5">
      <p className="line-clamp-3 text-[15px] leading-relaxed wrap-anywhere">{passage.text}</p>
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-faint">
        <Tag>document</Tag>
        <Link
          className="max-w-72 truncate underline"
          to="/library/documents/$documentId"
          params={{ documentId: document_id }}
        >
          {document_title}
        </Link>
        <span>
          lines {passage.line_start}–{passage.line_end}
        </span>
        <span className="max-w-56 truncate max-sm:hidden">{found.brain_name}</span>
        <Ago at={found.created_at} />
      </p>
    </li>
  );
}
