import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { notifySuccess } from '../../design/toasts.tsx';
import { meQuery } from '../../entities/me.ts';
import { BrainField } from '../../entities/brain-field.tsx';
import { DeleteBrain } from './delete-brain.tsx';
import { ExportBrain } from './export-brain.tsx';
import { updateBrain, type BrainChange } from './requests.ts';
import { type Brain } from '../../entities/brains.ts';
import { useCall } from '../../design/use-call.ts';

/** Languages that search can stem, English first. */
const languages = 'en ar da de es fi fr hu it nl no pl pt ro ru sv tr'.split(' ');
const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** The name, purpose and place of a brain, its export and its deletion. */
export function SettingsTab({ brain }: { brain: Brain }) {
  const { data: me } = useQuery(meQuery);
  const isOwner = brain.access_level === 'owner' || (me !== undefined && me.person.role !== 'member');
  return (
    <div className="space-y-8">
      <Section title="General">
        <Card className="p-5 sm:p-6">
          <SettingsForm key={brain.id} brain={brain} mayMove={isOwner && !brain.is_personal} />
        </Card>
      </Section>
      <Section title="Export" lead="Everything in this brain, as an archive that any Thalamus server imports.">
        <ExportBrain brain={brain} />
      </Section>
      {isOwner && !brain.is_personal && (
        <Section title="Delete" lead="Deletes the brain and everything in it. Export it first.">
          <DeleteBrain brain={brain} />
        </Section>
      )}
    </div>
  );
}

function SettingsForm({ brain, mayMove }: { brain: Brain; mayMove: boolean }) {
  const updating = useCall(updateBrain, { refreshes: ['brains'], success: ({ name }) => ['Saved', name] });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const change = parseBrainChange(brain, new FormData(event.currentTarget));
    if (Object.keys(change).length > 1) updating.call(change);
    else notifySuccess('No changes');
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {updating.error && <Notice tone="stop">{formatErrorMessage(updating.error)}</Notice>}
      <TextField label="Name" name="name" required maxLength={200} defaultValue={brain.name} />
      <TextArea
        label="Description"
        name="description"
        maxLength={4_000}
        defaultValue={brain.description}
        hint="Thalamus routes memories by this text."
      />
      <TextArea
        label="Routing rules"
        name="routing_rules"
        maxLength={8_000}
        defaultValue={brain.routing_rules}
        placeholder="Call scripts stay here. Competitive intel → Market Intel Brain."
        hint="Extra rules for what goes where."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <LanguageField language={brain.language} />
        {mayMove && (
          <BrainField
            isParent
            label="Parent brain"
            name="parent"
            defaultValue={brain.parent_brain_id ?? ''}
            hint="The brain inherits its core knowledge and skills."
          >
            <option value="">None</option>
          </BrainField>
        )}
      </div>
      <Button look="primary" type="submit" isBusy={updating.isBusy}>
        Save
      </Button>
    </form>
  );
}

function LanguageField({ language }: { language: string }) {
  return (
    <SelectField
      label="Language"
      name="language"
      defaultValue={language}
      hint="Search finds other forms of a word in this language."
    >
      {[...new Set([...languages, language])].map((code) => (
        <option key={code} value={code}>
          {languageNames.of(code)}
        </option>
      ))}
    </SelectField>
  );
}

/** Only the changed fields. */
function parseBrainChange(brain: Brain, form: FormData): BrainChange {
  const change: BrainChange = { brain_id: brain.id };
  for (const name of ['name', 'description', 'routing_rules', 'language'] as const) {
    const value = String(form.get(name) ?? '').trim();
    if (value !== brain[name]) change[name] = value;
  }
  const parent = form.has('parent') ? String(form.get('parent')) || null : brain.parent_brain_id;
  return { ...change, ...(parent !== brain.parent_brain_id && { parent_brain_id: parent }) };
}
