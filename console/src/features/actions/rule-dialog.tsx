import { useId, useState } from 'react';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import type { Effect, NamedAction, Risk, CallerKind, Rule } from './policy-requests.ts';
import { callerWords, effectWords, readCaller, riskWords, safeWords } from './rule-words.ts';

type Props = {
  /** The rule that is changed; an empty one to write a new one; null: closed. */
  rule: Partial<Rule> | null;
  actions: readonly NamedAction[];
  onSave: (rule: Rule) => void;
  onClose: () => void;
};

const safe = 'safe';

/** Edits one rule. An empty field matches anything. */
export function RuleDialog({ rule, actions, onSave, onClose }: Props) {
  return (
    <FormDialog
      isOpen={rule !== null}
      onClose={onClose}
      title={rule?.effect ? 'Edit rule' : 'New rule'}
      description="Empty fields match everything."
      act={rule?.effect ? 'Save' : 'Add'}
      run={async (fields) => onSave(parsePolicyRule(fields))}
    >
      <SelectField label="Effect" name="effect" defaultValue={rule?.effect ?? 'require_approval'}>
        {Object.entries(effectWords).map(([effect, { label, about }]) => (
          <option key={effect} value={effect}>
            {label}: {about}
          </option>
        ))}
      </SelectField>
      <What rule={rule ?? {}} actions={actions} />
      <Whom rule={rule ?? {}} />
      <TextField
        label="Note"
        name="note"
        maxLength={300}
        defaultValue={rule?.note}
        hint="Shown to the agent and the approver."
      />
    </FormDialog>
  );
}

function What({ rule, actions }: { rule: Partial<Rule>; actions: readonly NamedAction[] }) {
  const sources = [...new Set(actions.map(({ source }) => source))];
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Kind" name="risk" defaultValue={rule.risks?.[0] ?? (rule.is_safe ? safe : '')}>
          <option value="">Any</option>
          {Object.entries(riskWords).map(([risk, words]) => (
            <option key={risk} value={risk}>
              {words}
            </option>
          ))}
          <option value={safe}>{safeWords}: labels, archiving, a note to yourself</option>
        </SelectField>
        <SelectField label="Requested by" name="caller" defaultValue={readCaller(rule)}>
          <option value="">Anybody</option>
          {Object.entries(callerWords).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </SelectField>
      </div>
      <NamesField
        label="Sources"
        name="sources"
        written={rule.sources}
        names={sources}
        placeholder="gmail calendar"
        hint={`Separate with spaces: ${sources.join(', ')}.`}
      />
      <NamesField
        label="Actions"
        name="actions"
        written={rule.actions}
        names={[...new Set(actions.map(({ action }) => action))]}
        placeholder="send_email create_event"
        hint="Separate with spaces. Suggestions appear as you type. “read” means reading."
      />
      <TextField label="Account" name="account" defaultValue={rule.account} placeholder="ada@example.com" />
    </>
  );
}

type NamesProps = {
  label: string;
  name: string;
  written: readonly string[] | undefined;
  names: readonly string[];
  placeholder: string;
  hint: string;
};

/** Several names with spaces between; the next one is offered behind those that are written. */
function NamesField({ written = [], names, ...rest }: NamesProps) {
  const listId = useId();
  const value = written.join(' ');
  const [before, setBefore] = useState(withoutLast(value));
  return (
    <>
      <TextField
        {...rest}
        defaultValue={value}
        list={listId}
        autoComplete="off"
        onChange={({ target }) => setBefore(withoutLast(target.value))}
      />
      <datalist id={listId}>
        {names.map((each) => (
          <option key={each} value={before + each} />
        ))}
      </datalist>
    </>
  );
}

function withoutLast(names: string): string {
  return names.replace(/[^\s,]*$/, '');
}

function Whom({ rule }: { rule: Partial<Rule> }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="All recipients match"
          name="every_recipient"
          defaultValue={rule.every_recipient}
          placeholder="*@example.com"
        />
        <TextField
          label="Any recipient matches"
          name="any_recipient"
          defaultValue={rule.any_recipient}
          placeholder="*@rival.example"
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="More recipients than"
          name="more_recipients_than"
          type="number"
          min={0}
          max={10_000}
          defaultValue={rule.more_recipients_than}
        />
        <TextField label="Target" name="target" defaultValue={rule.target} placeholder="event in *" />
      </div>
    </>
  );
}

/** Fields that were left empty are not in the rule. */
function parsePolicyRule({ readText: text, readWords: words }: FormFields): Rule {
  const [risk, caller, more] = [text('risk'), text('caller'), text('more_recipients_than')];
  const texts = ['note', 'account', 'every_recipient', 'any_recipient', 'target'].filter((name) => text(name));
  const lists = ['sources', 'actions'].filter((name) => words(name).length);
  return {
    effect: text('effect') as Effect, // one of the options
    ...Object.fromEntries(texts.map((name) => [name, text(name)])),
    ...Object.fromEntries(lists.map((name) => [name, words(name)])),
    ...(risk === safe ? { is_safe: true } : risk && { risks: [risk as Risk] }), // one of the options
    ...(caller && { callers: [caller as CallerKind] }),
    ...(more && { more_recipients_than: Number(more) }),
  };
}
