import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { CustomProviderForm } from '../connections/custom-provider-form.tsx';
import { ProviderSetup } from '../connections/provider-setup.tsx';
import { RemoveProviderDialog } from '../connections/remove-provider-dialog.tsx';
import type { ProviderConfig } from '../connections/requests.ts';

type OAuth = NonNullable<ProviderConfig['oauth']>;

/** The OAuth client in use, with its redirect URI, to change or remove it. */
export function ClientSection({ config, oauth }: { config: ProviderConfig; oauth: OAuth }) {
  const [open, setOpen] = useState<'nothing' | 'form' | 'removing'>('nothing');
  const navigate = useNavigate();
  const close = () => setOpen('nothing');
  const isOwn = oauth.client_of === 'workspace';
  const leave = () => config.is_custom && void navigate({ to: '/integrations', search: {} });
  return (
    <Section
      title="OAuth client"
      lead={isOwn ? 'Set for this workspace.' : 'Set by the operator of this server.'}
      action={
        open !== 'form' && (
          <span className="flex gap-1">
            <Button look="quiet" size="small" onClick={() => setOpen('form')}>
              Edit OAuth client
            </Button>
            {isOwn && (
              <Button look="quiet" size="small" onClick={() => setOpen('removing')}>
                Remove
              </Button>
            )}
          </span>
        )
      }
    >
      <Card className="space-y-3 p-5 sm:p-6">
        {open === 'form' ? <ChangeForm config={config} oauth={oauth} onDone={close} /> : <Facts oauth={oauth} />}
      </Card>
      <RemoveProviderDialog config={config} isOpen={open === 'removing'} onClose={close} onDone={leave} />
    </Section>
  );
}

/** `onDone` closes it, saved or not. */
function ChangeForm({ config, oauth, onDone }: { config: ProviderConfig; oauth: OAuth; onDone: () => void }) {
  if (!config.is_custom) return <ProviderSetup config={config} onDone={onDone} onCancel={onDone} />;
  return <CustomProviderForm config={config} redirectUri={oauth.redirect_uri} onDone={onDone} onCancel={onDone} />;
}

function Facts({ oauth }: { oauth: OAuth }) {
  return (
    <>
      <p className="text-sm text-soft">
        Its id is <span className="font-mono text-[13px] wrap-anywhere">{oauth.client_id}</span>. It must know this
        redirect URI:
      </p>
      <CopyBox text={oauth.redirect_uri} label="redirect URI" />
      {oauth.lifetime_note && <p className="text-[13px] text-faint">{oauth.lifetime_note}</p>}
    </>
  );
}
