import { ArrowDown, Reply } from 'lucide-react';
import { useRef } from 'react';
import { Address } from './address.tsx';
import { RestView } from './rest-view.tsx';
import { listPayloadAddresses, listPayloadFiles, getPayloadText } from './payload.ts';
import type { Draft, Payload } from './requests.ts';
import { SentFiles } from './sent-files.tsx';

const shownFields = ['to', 'cc', 'bcc', 'subject', 'body', 'thread_id', 'attachments'];

/** A mail as its recipient will see it. */
export function MailView({ draft, payload }: { draft: Draft; payload: Payload }) {
  const { account } = draft;
  const files = useRef<HTMLUListElement>(null);
  const showFiles = () => {
    files.current?.scrollIntoView();
    files.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <div className="px-5 pt-5 pb-4 sm:px-6">
        <h3 className="text-lg leading-snug font-semibold tracking-tight wrap-anywhere">
          {getPayloadText(payload, 'subject') || <span className="text-faint">No subject</span>}
        </h3>
        {getPayloadText(payload, 'thread_id') && (
          <p className="mt-1 flex items-center gap-1.5 text-[13px] text-faint">
            <Reply className="size-3.5" aria-hidden /> Answers in an existing thread
          </p>
        )}
      </div>
      <dl className="space-y-1.5 border-y border-line px-5 py-3.5 text-sm sm:px-6">
        {account && <AddressLine label="From" addresses={[account]} account={account} />}
        <AddressLine label="To" addresses={listPayloadAddresses(payload, 'to')} account={account} />
        <AddressLine label="Cc" addresses={listPayloadAddresses(payload, 'cc')} account={account} />
        <AddressLine label="Bcc" addresses={listPayloadAddresses(payload, 'bcc')} account={account} />
        <FilesLine names={listPayloadFiles(payload).map(({ name }) => name)} onShow={showFiles} />
      </dl>
      <div className="px-5 py-5 text-[15px] leading-relaxed whitespace-pre-wrap wrap-anywhere sm:px-6">
        {getPayloadText(payload, 'body')}
      </div>
      <RestView payload={payload} shown={shownFields} />
      <SentFiles ref={files} draft={draft} payload={payload} />
    </>
  );
}

type LineProps = { label: string; addresses: readonly string[]; account: string };

function AddressLine({ label, addresses, account }: LineProps) {
  if (!addresses.length) return null;
  return (
    <div className="grid grid-cols-[3.5rem_1fr] gap-2">
      <dt className="text-faint">{label}</dt>
      <dd className="flex flex-wrap gap-x-3 gap-y-1">
        {addresses.map((address) => (
          <Address key={address} address={address} account={account} />
        ))}
      </dd>
    </div>
  );
}

/** The attachments, with links to them below the text. */
function FilesLine({ names, onShow }: { names: readonly string[]; onShow: () => void }) {
  if (!names.length) return null;
  return (
    <div className="grid grid-cols-[3.5rem_1fr] gap-2">
      <dt className="text-faint">Files</dt>
      <dd className="min-w-0">
        <button
          className="line-clamp-2 rounded text-left underline decoration-edge underline-offset-4 wrap-anywhere hover:decoration-ink"
          onClick={onShow}
        >
          {names.length} ({names.join(', ')}) <ArrowDown className="inline size-3.5 text-faint" aria-hidden />
        </button>
      </dd>
    </div>
  );
}
