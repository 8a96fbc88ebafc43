import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { acceptChange, declineChange, type Automation } from './requests.ts';
import { SourceChanges } from './source-changes.tsx';
import { costText, grantText, triggerText } from './words.ts';

type Change = NonNullable<Automation['waiting_change']>;

/** A proposed change of an active automation, which keeps running unchanged until a person accepts it. */
export function WaitingChange({ of: automation }: { of: Automation }) {
  const { waiting_change: change, source, updated_at } = automation;
  const queryClient = useQueryClient();
  const again = () => queryClient.invalidateQueries({ queryKey: ['automations'] });
  const accept = useMutation({
    mutationFn: (change_id: string) => acceptChange({ change_id, seen_updated_at: updated_at }),
    onSuccess: () => {
      tell('Change accepted');
      return again();
    },
    onError: (error) => {
      tellFailure('The change was not accepted', error);
      return again();
    },
  });
  const decline = useMutation({
    mutationFn: declineChange,
    onSuccess: () => {
      tell('Change declined');
      return again();
    },
    onError: (error) => tellFailure('The change was not declined', error),
  });
  if (!change) return null;
  return (
    <Section
      title="A change waits for you"
      lead="The automation runs on as it is until you accept."
      action={
        <div className="flex gap-2">
          <Button isBusy={decline.isPending} onClick={() => decline.mutate(change.change_id)}>
            Decline
          </Button>
          <Button look="primary" isBusy={accept.isPending} onClick={() => accept.mutate(change.change_id)}>
            Accept change
          </Button>
        </div>
      }
    >
      <Card className="space-y-3 p-5 text-sm">
        <p className="text-soft">
          By {change.created_by}, <Ago at={change.created_at} />
        </p>
        <More lines={moreText(change)} />
        <p className="text-soft wrap-anywhere">{fieldsText(change)}</p>
      </Card>
      {change.source !== null && <SourceChanges label="Changes to the source" from={source} to={change.source} />}
    </Section>
  );
}

function More({ lines }: { lines: readonly string[] }) {
  if (!lines.length) return <p>It asks for nothing that it cannot do now.</p>;
  return (
    <>
      <p className="font-medium">It asks for more than it has now:</p>
      <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

/** The added rights, in words. */
function moreText({ asks_for_more: more }: Change): string[] {
  return [
    ...more.tool_grants.map((grant) => `Call ${grantText(grant)}`),
    ...more.hosts.map((host) => `Reach ${host}`),
    ...more.triggers.map((trigger) => `Start: ${triggerText(trigger)}`),
    ...more.limits.map(({ name, from, to }) => limitText[name](from, to)),
    ...(more.confirms_by_itself ? ['Approve safe actions by itself'] : []),
  ];
}

const limitText = {
  cost_cap_daily_usd: (from: number, to: number) => `Cost ${costText(to)} a day, now ${costText(from)}`,
  max_wall_seconds: (from: number, to: number) => `Run for ${to} seconds, now ${from}`,
  max_llm_tokens: (from: number, to: number) => `Use ${to.toLocaleString()} tokens a run, now ${from.toLocaleString()}`,
};

function fieldsText({ fields, source }: Change): string {
  const names = [...(source === null ? [] : ['source']), ...Object.keys(fields)];
  return `Changes: ${names.map((name) => name.replaceAll('_', ' ')).join(', ')}.`;
}
