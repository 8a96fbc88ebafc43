import { Check, Globe, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Tag } from '../../design/page.tsx';
import { Ago } from '../../design/time.tsx';
import { DeleteVariableDialog } from './delete-variable-dialog.tsx';
import { HostsDialog } from './hosts-dialog.tsx';
import { acceptDescription, type Variable } from './requests.ts';
import { SetVariableDialog } from './set-variable-dialog.tsx';
import { useCall } from '../../design/use-call.ts';

type Props = {
  of: Variable;
  /** For whom it is: the tier, or the brain, agent or set that has it. */
  holder: string;
};

/** One variable: its name, its handle and where it may go. */
export function VariableRow({ of: variable, holder }: Props) {
  const [opened, setOpened] = useState<'hosts' | 'value' | 'deletion' | null>(null);
  const close = () => setOpened(null);
  const { name, description, handle, hosts, placements, set_by, updated_at } = variable;
  const places = placements.filter((placement) => placement !== 'hmac');
  const isPlain = places.length === 1 && places[0] === 'header';
  return (
    <li className="space-y-2.5 px-4 py-4 sm:px-5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-mono text-sm font-medium wrap-anywhere">{name}</span>
            <Tag>{holder}</Tag>
            {!hosts.length && <Tag tone="wait">No host allowed</Tag>}
          </p>
          {description && <p className="mt-1 text-sm text-soft">{description}</p>}
          {variable.is_description_unseen && <UnseenDescription of={variable} />}
        </div>
        <div className="flex shrink-0 gap-1">
          <Button look="quiet" size="small" onClick={() => setOpened('hosts')} aria-label={`Hosts of ${name}`}>
            <Globe className="size-3.5" aria-hidden /> <span className="max-sm:sr-only">Hosts</span>
          </Button>
          <Button look="quiet" size="small" onClick={() => setOpened('value')} aria-label={`Replace ${name}`}>
            <RotateCw className="size-3.5" aria-hidden /> <span className="max-sm:sr-only">Replace</span>
          </Button>
          <Button look="quiet" size="small" onClick={() => setOpened('deletion')} aria-label={`Delete ${name}`}>
            <Trash2 className="size-3.5" aria-hidden />
          </Button>
        </div>
      </div>
      <CopyBox text={handle} label={`placeholder of ${name}`} />
      <p className="text-[13px] text-faint">
        {hosts.length > 0 && <>To {hosts.join(', ')}. </>}
        {!isPlain && places.length > 0 && <>Used in: {places.map(formatPlacement).join(', ')}. </>}
        {places.length < placements.length && <>Code may sign with it. </>}
        Set by {set_by} <Ago at={updated_at} />
      </p>
      <HostsDialog of={variable} isOpen={opened === 'hosts'} onClose={close} />
      <SetVariableDialog former={variable} isOpen={opened === 'value'} onClose={close} />
      <DeleteVariableDialog of={variable} isOpen={opened === 'deletion'} onClose={close} />
    </li>
  );
}

const placeWords: Readonly<Record<string, string>> = {
  header: 'header',
  query: 'query parameter',
  path: 'path',
  form: 'form field',
  json: 'JSON field',
};

/** `header:X-Key` as “header X-Key”, `path` as “path”. */
function formatPlacement(placement: string): string {
  const [kind = '', ...name] = placement.split(':');
  return [placeWords[kind] ?? kind, name.join(':')].filter(Boolean).join(' ');
}

/** A description that an agent wrote. Agents see it once a person has accepted it here. */
function UnseenDescription({ of }: { of: Variable }) {
  const accepting = useCall(acceptDescription, {
    refreshes: ['variables'],
    success: ['Description accepted', 'Agents read it when they open a session.'],
    failure: 'The description was not accepted',
  });
  return (
    <div className="mt-2 space-y-2">
      <p className="text-[13px] text-wait">
        The agent “{of.description_by}” wrote this description. Other sessions read it after you accept it.
      </p>
      <Button
        size="small"
        isBusy={accepting.isBusy}
        onClick={() => accepting.call(of)}
        aria-label={`Accept description of ${of.name}`}
      >
        <Check className="size-3.5" aria-hidden /> Accept description
      </Button>
    </div>
  );
}
