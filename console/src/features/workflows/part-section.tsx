import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { useCall } from '../../design/use-call.ts';
import { changeWorkflow, type Workflow } from './requests.ts';
import { useMayChange } from './use-may-change.ts';

type Change = Omit<Parameters<typeof changeWorkflow>[0], 'workflow_id'>;

type Props<Part> = {
  of: Workflow;
  title: string;
  /** One part: “KPI”. */
  noun: string;
  /** What is said where there is none. */
  empty: string;
  parts: readonly Part[];
  getName: (part: Part) => string;
  renderPart: (part: Part) => ReactNode;
  /** A button beside the part, for the act that is wanted most often. */
  renderAct?: (part: Part) => ReactNode;
  /** The dialog that adds a part, or changes one. */
  renderDialog: (part: Part | null, onClose: () => void) => ReactNode;
  buildRemoval: (part: Part) => Change;
};

/** The KPIs, deadlines or team of a workflow: each is added, changed and removed here. */
export function PartSection<Part>(props: Props<Part>) {
  const { of: workflow, title, noun, empty, parts, getName, renderPart, renderAct, renderDialog } = props;
  const mayChange = useMayChange(workflow);
  const [edited, setEdited] = useState<{ part: Part | null } | null>(null);
  const [removed, setRemoved] = useState<Part | null>(null);
  if (!parts.length && !mayChange) return null;
  const add = (
    <Button size="small" icon={<Plus className="size-4" aria-hidden />} onClick={() => setEdited({ part: null })}>
      Add {noun}
    </Button>
  );
  return (
    <Section title={title} action={mayChange && add}>
      <Card>
        {parts.length ? (
          <ul className="divide-y divide-line">
            {parts.map((part) => (
              <li key={getName(part)} className="flex items-center gap-x-3 px-4 py-4 sm:px-5">
                <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
                  {renderPart(part)}
                  {mayChange && renderAct?.(part)}
                </span>
                {mayChange && (
                  <MoreMenu
                    label={`More actions for ${getName(part)}`}
                    actions={[
                      { label: 'Change', icon: <Pencil />, onSelect: () => setEdited({ part }) },
                      { label: 'Remove', icon: <Trash2 />, isDanger: true, onSelect: () => setRemoved(part) },
                    ]}
                  />
                )}
              </li>
            ))}
          </ul>
        ) : (
          <p className="px-4 py-4 text-sm text-soft sm:px-5">{empty}</p>
        )}
      </Card>
      {edited && renderDialog(edited.part, () => setEdited(null))}
      {removed && <RemoveDialog {...props} part={removed} onClose={() => setRemoved(null)} />}
    </Section>
  );
}

type RemoveProps<Part> = Pick<Props<Part>, 'of' | 'noun' | 'getName' | 'buildRemoval'> & {
  part: Part;
  onClose: () => void;
};

function RemoveDialog<Part>({ of: { workflow_id }, noun, getName, buildRemoval, part, onClose }: RemoveProps<Part>) {
  const removing = useCall(() => changeWorkflow({ workflow_id, ...buildRemoval(part) }), {
    refreshes: ['workflows'],
    success: `${getName(part)} removed`,
    failure: `${getName(part)} was not removed`,
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${getName(part)}?`}
      description={`The ${noun} is removed from this workflow.`}
      act="Remove"
      isBusy={removing.isBusy}
      onConfirm={() => removing.call()}
    />
  );
}
