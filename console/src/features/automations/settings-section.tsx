import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { useCall } from '../../design/use-call.ts';
import { updateAutomation, variablesQuery, type Automation } from './requests.ts';

const placeholder = /\{\{\s*([a-z0-9_]{1,64})\s*\}\}/g;

/** The plain values that stand in the source for names in double braces. Names of secrets are not among them. */
export function SettingsSection({ of: automation }: { of: Automation }) {
  const { data: secrets } = useQuery(variablesQuery);
  const { automation_id, settings, source, state, updated_at } = automation;
  const written = [...source.matchAll(placeholder)].map(([, name = '']) => name);
  const unset = secrets ? written.filter((name) => !secrets.some((secret) => secret.name === name)) : [];
  const names = [...new Set([...Object.keys(settings), ...unset])].toSorted();
  if (!names.length || state === 'killed') return null;
  return (
    <Section
      title="Settings"
      lead="These values stand in the source where their names are in double braces. Never put secrets here."
    >
      <SettingsForm
        key={JSON.stringify(settings)}
        id={automation_id}
        names={names}
        settings={settings}
        seen={updated_at}
      />
    </Section>
  );
}

type FormProps = { id: string; names: readonly string[]; settings: Readonly<Record<string, string>>; seen: string };

function SettingsForm({ id, names, settings, seen }: FormProps) {
  const [values, setValues] = useState(settings);
  const saving = useCall(
    () =>
      updateAutomation({
        automation_id: id,
        settings: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
        seen_updated_at: seen,
      }),
    { refreshes: ['automations'], success: 'Settings saved', failure: 'The settings were not saved' },
  );
  return (
    <Card className="p-5">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          saving.call();
        }}
      >
        {names.map((name) => (
          <TextField
            key={name}
            label={name}
            value={values[name] ?? ''}
            maxLength={8_192}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        ))}
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={saving.isBusy}>
            Save settings
          </Button>
        </div>
      </form>
    </Card>
  );
}
