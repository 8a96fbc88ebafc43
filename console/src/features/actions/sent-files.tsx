import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, Paperclip } from 'lucide-react';
import { useState, type ReactNode, type Ref } from 'react';
import { createFileAddress } from '../../api/save-file.ts';
import { Button } from '../../design/button.tsx';
import { SaveButton } from '../../design/save-button.tsx';
import { formatByteCount } from '../../design/size.ts';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { listPayloadFiles, type SentFile } from './payload.ts';
import { buildFileTextQuery, type Draft, type Payload } from './requests.ts';

/** The attachments of a mail: to save, or to view without running their content. */
export function SentFiles({ draft, payload, ref }: { draft: Draft; payload: Payload; ref: Ref<HTMLUListElement> }) {
  const files = listPayloadFiles(payload);
  if (!files.length) return null;
  const buildHref = (position: number) => `/v1/actions/${draft.draft_id}/files/${position}/content`;
  return (
    <ul
      ref={ref}
      tabIndex={-1}
      aria-label="Files"
      className="scroll-mt-4 space-y-2 border-t border-line px-5 py-3.5 focus-visible:-outline-offset-2 sm:px-6"
    >
      {files.map((file, position) => (
        <li key={`${position} ${file.name}`}>
          <File file={file} href={isKept(draft) ? buildHref(position) : null} />
        </li>
      ))}
    </ul>
  );
}

/** Files are stored until the draft has its outcome. */
function isKept({ draft_id: id, status }: Draft): boolean {
  return id !== '' && ['pending', 'confirming', 'ambiguous'].includes(status);
}

/** Types that are shown as images or text. SVG and HTML are not shown. */
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const texts = new Set(['text/plain', 'text/csv', 'text/markdown']);

function File({ file, href }: { file: SentFile; href: string | null }) {
  const { name, type, size } = file;
  const [isShown, setIsShown] = useState(false);
  const Sign = isShown ? EyeOff : Eye;
  const word = isShown ? 'Hide' : 'Show';
  return (
    <div className="rounded-lg border border-line text-[13px]">
      <div className="flex items-center gap-2 py-1 pr-1 pl-2.5">
        <Paperclip className="size-3.5 shrink-0 text-faint" aria-hidden />
        <span className="wrap-anywhere">{name}</span>
        <span className="text-faint wrap-anywhere">{type}</span>
        <span className="flex-1 whitespace-nowrap text-faint">{formatByteCount(size)}</span>
        {href && (pictures.has(type) || texts.has(type)) && (
          <Button
            look="quiet"
            size="small"
            aria-expanded={isShown}
            aria-label={`${word} ${name}`}
            icon={<Sign className="size-3.5" aria-hidden />}
            onClick={() => setIsShown(!isShown)}
          >
            {word}
          </Button>
        )}
        {href && (
          <SaveButton path={href} aria-label={`Save ${name}, ${formatByteCount(size)}`} look="quiet" size="small">
            Save
          </SaveButton>
        )}
      </div>
      {href && isShown && (
        <div className="border-t border-line bg-sunken">
          {pictures.has(type) ? <Picture name={name} href={href} /> : <Words name={name} href={href} />}
        </div>
      )}
    </div>
  );
}

function Picture({ name, href }: { name: string; href: string }) {
  const [isBroken, setIsBroken] = useState(false);
  const { data: address, error } = useQuery({
    queryKey: ['picture', href],
    queryFn: () => createFileAddress(href),
    staleTime: Infinity, // the address works once, and the picture stays while it is shown
    gcTime: 0,
  });
  if (isBroken || error) return <Said>{name} cannot be shown. Save it to look at it.</Said>;
  if (!address) return <Skeleton rows={2} label={`Loading ${name}`} />;
  return <img src={address} alt={name} className="mx-auto max-h-128 max-w-full" onError={() => setIsBroken(true)} />;
}

function Words({ name, href }: { name: string; href: string }) {
  const { data: shown, error, refetch } = useQuery(buildFileTextQuery(href));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!shown) return <Skeleton rows={2} label={`Loading ${name}`} />;
  return (
    <>
      <pre
        tabIndex={0}
        aria-label={`Text of ${name}`}
        className="max-h-96 overflow-auto px-3 py-3 font-mono leading-relaxed whitespace-pre-wrap wrap-anywhere"
      >
        {shown.text}
      </pre>
      {shown.isCut && <Said>Only the beginning is shown. Save the file to see all of it.</Said>}
    </>
  );
}

function Said({ children }: { children: ReactNode }) {
  return <p className="px-3 py-2 text-soft">{children}</p>;
}
