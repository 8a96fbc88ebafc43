import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Section } from '../../design/section.tsx';
import { useCall } from '../../design/use-call.ts';
import { deleteLink, testLink, type BoardLink } from './requests.ts';

type Props = { links: readonly BoardLink[]; mayWrite: boolean };

/** What a board points at in services. */
export function BoardLinks({ links, mayWrite }: Props) {
  return (
    <Section title="Links" lead="Services that this board reads.">
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {links.map((link) => (
          <LinkRow key={link.id} link={link} mayWrite={mayWrite} />
        ))}
      </ul>
    </Section>
  );
}

function LinkRow({ link, mayWrite }: { link: BoardLink; mayWrite: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const { id, display_name: name, kind, integration_provider: provider, ended_at: endedAt } = link;
  const deleting = useCall(() => deleteLink(id), {
    refreshes: ['boards'],
    success: 'Link deleted',
    onSuccess: () => setIsAsking(false),
  });
  const testing = useCall(() => testLink(id), {
    success: ({ ok, message }) => (ok ? ['The link works', message] : ['The link does not work', message]),
    failure: 'The link was not tested',
  });
  const access = provider === null ? 'Read without an account' : 'Read through a linked account';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <span className="min-w-0 flex-1 basis-52">
        <span className="block truncate font-medium">
          <bdi>{name}</bdi>
        </span>
        <span className="mt-0.5 block text-sm text-soft">
          {kind} · {endedAt === null ? access : 'Ended: a person left. Make the link again.'}
        </span>
      </span>
      {mayWrite && (
        <span className="flex gap-2">
          <Button size="small" isBusy={testing.isBusy} aria-label={`Test ${name}`} onClick={() => testing.call()}>
            Test
          </Button>
          <Button size="small" look="stop" aria-label={`Delete link ${name}`} onClick={() => setIsAsking(true)}>
            Delete
          </Button>
        </span>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Delete this link?"
        description="The board reads this service no more. Rows that were read stay."
        act="Delete link"
        isBusy={deleting.isBusy}
        error={deleting.error}
        onConfirm={() => deleting.call()}
      />
    </li>
  );
}
