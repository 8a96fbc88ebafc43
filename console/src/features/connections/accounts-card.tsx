import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { unlinkAccount } from './requests.ts';

/** One person's account at a provider. */
export type Account = {
  connection_id: string;
  account: string;
  status: 'active' | 'revoked' | 'missing_permission';
  status_reason: string | null;
  connected_at: string;
};

const statusTags = {
  active: { text: 'Linked', tone: 'go' },
  revoked: { text: 'Link again', tone: 'stop' },
  missing_permission: { text: 'A permission is missing', tone: 'wait' },
} as const;

/** The linked accounts, with what is wrong with them and the way to unlink them. */
export function AccountsCard({ accounts }: { accounts: readonly Account[] }) {
  const [ending, setEnding] = useState<Account | null>(null);
  return (
    <Card>
      <ul className="divide-y divide-line">
        {accounts.map((account) => (
          <li key={account.connection_id} className="flex items-center gap-4 px-5 py-4">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
                <span className="truncate">{account.account}</span>
                <Tag tone={statusTags[account.status].tone}>{statusTags[account.status].text}</Tag>
              </p>
              <p className="mt-0.5 text-[13px] text-faint">
                {account.status_reason ?? (
                  <>
                    Since <Ago at={account.connected_at} />
                  </>
                )}
              </p>
            </div>
            {account.status !== 'revoked' && (
              <Button
                look="quiet"
                size="small"
                onClick={() => setEnding(account)}
                aria-label={`Unlink ${account.account}`}
              >
                Unlink
              </Button>
            )}
          </li>
        ))}
      </ul>
      <UnlinkDialog account={ending} onClose={() => setEnding(null)} />
    </Card>
  );
}

function UnlinkDialog({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const unlinking = useMutation({
    mutationFn: unlinkAccount,
    onSuccess: ({ revoked_at_provider: isTold }) => {
      tell('Unlinked', isTold === false ? 'Remove the access at the provider too: it could not be told.' : undefined);
      onClose();
      return queryClient.invalidateQueries({ queryKey: ['integrations'] });
    },
    onError: (error) => tellFailure('Still linked', error),
  });
  return (
    <Dialog
      isOpen={account !== null}
      onClose={onClose}
      title={`Unlink ${account?.account ?? ''}?`}
      description="Its tokens are forgotten here and ended at the provider. Pages that were pulled stay."
    >
      <div className="mt-2 flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button
          look="stop"
          isBusy={unlinking.isPending}
          onClick={() => account && unlinking.mutate(account.connection_id)}
        >
          Unlink
        </Button>
      </div>
    </Dialog>
  );
}
