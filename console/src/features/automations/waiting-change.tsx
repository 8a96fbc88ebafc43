import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { notifyFailure } from '../../design/toasts.tsx';
import { AddedRights } from './added-rights.tsx';
import { acceptChange, declineChange, type Automation } from './requests.ts';
import { SettingChanges, type SettingChange } from './setting-changes.tsx';
import { SourceChanges } from './source-changes.tsx';
import { useCall } from '../../design/use-call.ts';

type Change = NonNullable<Automation['waiting_change']>;

/** A proposed change of an automation, which stays as it is until a person accepts it. */
export function WaitingChange({ of: automation }: { of: Automation }) {
  const { waiting_change: change, source, updated_at } = automation;
  const queryClient = useQueryClient();
  const again = () => queryClient.invalidateQueries({ queryKey: ['automations'] });
  const accept = useCall((change_id: string) => acceptChange({ change_id, seen_updated_at: updated_at }), {
    success: 'Change accepted',
    onSuccess: () => again(),
    onError: (error) => {
      notifyFailure('The change was not accepted', error);
      return again();
    },
  });
  const decline = useCall(declineChange, {
    success: 'Change declined',
    onSuccess: () => again(),
    failure: 'The change was not declined',
  });
  if (!change) return null;
  return (
    <Section
      title="A change waits for you"
      lead="The automation stays as it is until you accept."
      action={
        <div className="flex gap-2">
          <Button isBusy={decline.isBusy} onClick={() => decline.call(change.change_id)}>
            Decline
          </Button>
          <Button look="primary" isBusy={accept.isBusy} onClick={() => accept.call(change.change_id)}>
            Accept change
          </Button>
        </div>
      }
    >
      <Card className="space-y-3 p-5 text-sm">
        <p className="text-soft">
          By {change.created_by}, <Ago at={change.created_at} />
        </p>
        <AddedRights of={change.asks_for_more} />
        <SettingChanges of={listSettingChanges(automation, change)} />
      </Card>
      {change.source !== null && <SourceChanges label="Changes to the source" from={source} to={change.source} />}
    </Section>
  );
}

/** The settings that would change. */
function listSettingChanges(automation: Automation, { fields }: Change): SettingChange[] {
  const present = new Map<string, unknown>(Object.entries(automation));
  return Object.entries(fields).map(([field, to]) => {
    const name = field === 'hosts' ? 'acknowledged_http_fetch_hosts' : field;
    return { name, from: present.get(name), to };
  });
}
