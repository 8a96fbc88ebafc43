import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card, Tag } from '../../design/page.tsx';
import type { Rule } from './policy-requests.ts';
import { effectWords, describeRule } from './rule-words.ts';

type Props = {
  /** What screen readers call the list. */
  label: string;
  rules: readonly Rule[];
  /** Absent: the list is read-only. */
  onChange?: ((rules: Rule[]) => void) | undefined;
  onEdit?: ((position: number) => void) | undefined;
  empty?: string;
};

/** Rules in the order in which they are read. */
export function RuleList({ label, rules, onChange, onEdit, empty }: Props) {
  if (!rules.length) return <Card className="px-5 py-4 text-sm text-faint">{empty}</Card>;
  return (
    <Card>
      <ol aria-label={label} className="divide-y divide-line">
        {rules.map((rule, index) => (
          // Rules have no id, so their position is the key. oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-3.5">
            <span className="w-4 pt-px text-right text-[13px] text-faint tabular-nums">{index + 1}</span>
            <div className="min-w-0 flex-1 basis-60">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
                <Tag tone={effectWords[rule.effect].tone}>{effectWords[rule.effect].label}</Tag>
                <span className="wrap-anywhere">{describeRule(rule)}</span>
              </p>
              {rule.note && <p className="mt-1 text-[13px] text-faint">{rule.note}</p>}
            </div>
            {onChange && <Tools rules={rules} index={index} onChange={onChange} onEdit={onEdit} />}
          </li>
        ))}
      </ol>
    </Card>
  );
}

type ToolProps = {
  rules: readonly Rule[];
  index: number;
  onChange: (rules: Rule[]) => void;
  onEdit: ((position: number) => void) | undefined;
};

function Tools({ rules, index, onChange, onEdit }: ToolProps) {
  const swap = (other: number) => {
    const [mine, its] = [rules[index], rules[other]];
    if (mine && its) onChange(rules.map((rule, at) => (at === index ? its : at === other ? mine : rule)));
  };
  const name = `rule ${index + 1}`;
  return (
    <span className="-my-1 flex gap-0.5">
      <Tool label={`Move ${name} up`} isOff={index === 0} onClick={() => swap(index - 1)}>
        <ArrowUp />
      </Tool>
      <Tool label={`Move ${name} down`} isOff={index === rules.length - 1} onClick={() => swap(index + 1)}>
        <ArrowDown />
      </Tool>
      <Tool label={`Edit ${name}`} onClick={() => onEdit?.(index)}>
        <Pencil />
      </Tool>
      <Tool label={`Remove ${name}`} onClick={() => onChange(rules.filter((_rule, at) => at !== index))}>
        <Trash2 />
      </Tool>
    </span>
  );
}

type ToolButton = { label: string; isOff?: boolean; onClick: () => void; children: ReactNode };

function Tool({ label, isOff = false, onClick, children }: ToolButton) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
      className="grid size-8 place-items-center rounded-lg text-faint transition-colors hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-35 [&_svg]:size-4"
    >
      {children}
    </button>
  );
}
