import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { LeaveDialog } from '../../design/leave-dialog.tsx';
import { Section } from '../../design/section.tsx';
import { SettingsPage } from '../../design/settings-page.tsx';
import { Notice } from '../../design/states.tsx';
import { meQuery } from '../../entities/me.ts';
import { policyQuery, type Policy, type Rule, type PolicyEdit } from './policy-requests.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { RuleList } from './rule-list.tsx';
import { PolicySaveBar } from './policy-save-bar.tsx';
import { TryPolicy } from './try-policy.tsx';

/** The policy: what agents may do, what needs approval, and what is blocked. People read, edit and test it. */
export function PolicyPage() {
  const { data: policy, error, refetch } = useQuery(policyQuery);
  const { data: me } = useQuery(meQuery);
  return (
    <SettingsPage
      title="Rules"
      lead="Which actions agents may take, which need approval, and which are blocked."
      query={{ isPending: !policy || !me, error, refetch }}
      after={policy && me && <Editor policy={policy} role={me.person.role} />}
    />
  );
}

type List = keyof PolicyEdit;
type RuleEdit = { list: List; position: number; rule: Partial<Rule> } | null;

/** Keeps edited rules until they are saved together. Rules saved by others meanwhile do not discard them. */
function Editor({ policy: saved, role }: { policy: Policy; role: string }) {
  const [kept, setKept] = useState<{ base: Policy; written: PolicyEdit } | null>(null);
  const [editing, setEditing] = useState<RuleEdit>(null);
  const policy = kept?.base ?? saved;
  const written = kept?.written ?? { rules: policy.rules, floor: policy.floor };
  const change = (list: List) => (rules: Rule[]) => setKept({ base: policy, written: { ...written, [list]: rules } });
  const put = (rule: Rule) => {
    if (editing) change(editing.list)(written[editing.list].toSpliced(editing.position, 1, rule));
    setEditing(null);
  };
  return (
    <div className="space-y-9">
      {role === 'member' && <Notice tone="plain">Admins of the workspace change these rules.</Notice>}
      <Lists written={written} role={role} onChange={change} onEdit={setEditing} />
      <Section title="Defaults" lead="These apply when no rule matches.">
        <RuleList label="Defaults" rules={policy.defaults} />
      </Section>
      <Section title="Test rules" lead="Uses the rules on this page, saved or not. Drafts and sends nothing.">
        <TryPolicy written={written} actions={policy.actions} />
      </Section>
      {kept && (
        <PolicySaveBar
          policy={policy}
          isOutOfDate={saved.version !== policy.version}
          written={role === 'owner' ? written : { rules: written.rules }}
          onDone={() => setKept(null)}
        />
      )}
      <LeaveDialog isUnsaved={kept !== null} what="These rules" />
      <RuleDialog rule={editing?.rule ?? null} actions={policy.actions} onSave={put} onClose={() => setEditing(null)} />
    </div>
  );
}

type ListsProps = {
  written: PolicyEdit;
  role: string;
  onChange: (list: List) => (rules: Rule[]) => void;
  onEdit: (editing: RuleEdit) => void;
};

const lists = [
  {
    list: 'rules',
    title: 'Rules',
    lead: 'Rules are checked top to bottom. The first match applies.',
    add: 'Add rule',
    empty: 'No rules yet. The defaults below apply.',
    roles: ['owner', 'admin'],
  },
  {
    list: 'floor',
    title: 'Minimum protection',
    lead: 'Never overridden by other rules. Only the owner can change it.',
    add: 'Add minimum',
    empty: 'No minimum set.',
    roles: ['owner'],
  },
] as const;

function Lists({ written, role, onChange, onEdit }: ListsProps) {
  return lists.map(({ list, title, lead, add, empty, roles }) => {
    const mayWrite = (roles as readonly string[]).includes(role);
    const rules = written[list];
    const edit = (position: number) => onEdit({ list, position, rule: rules[position] ?? {} });
    return (
      <Section
        key={list}
        title={title}
        lead={lead}
        action={mayWrite && <AddButton label={add} onClick={() => edit(rules.length)} />}
      >
        <RuleList
          label={title}
          rules={rules}
          empty={empty}
          onChange={mayWrite ? onChange(list) : undefined}
          onEdit={edit}
        />
      </Section>
    );
  });
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="small" icon={<Plus className="size-3.5" aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}
