import type { FormEvent, ReactNode } from 'react';
import { readFormFields, type FormFields } from './form-fields.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { PageFrame, type Heading } from './page-frame.tsx';
import { PlaceTabs } from './place-tabs.tsx';
import { QueryResult, type QueryState } from './query-state.tsx';
import { SaveBar } from './save-bar.tsx';

/** The one form of a settings page. */
export type SettingsForm = {
  /** Whether a field differs from its saved value. The save bar is shown while it does. */
  isDirty: boolean;
  isBusy: boolean;
  onSave: (fields: FormFields) => void;
  onDiscard: () => void;
};

type Props = Heading & {
  /** Absent: the sections load by themselves. */
  query?: QueryState | undefined;
  /** Absent: the person may read the settings, but not change them. */
  form?: SettingsForm | undefined;
  /** The sections of the form: `Section` with a `Card`. */
  children?: ReactNode;
  /** Actions that take effect at once instead of being saved with the form and, at the end, dangerous ones. */
  after?: ReactNode;
  back?: ReactNode;
};

/** A page that is a form: sections, a save bar while something is unsaved, and dangerous actions at the end. */
export function SettingsPage({ title, lead, action, query, form, children, after, back }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    form?.onSave(readFormFields(event.currentTarget));
  };
  return (
    <PageFrame title={title} lead={lead} action={action} back={back}>
      <PlaceTabs className="-mt-2 mb-5 -ml-3" />
      <QueryResult query={query} noun="settings">
        <div className="space-y-9">
          {children && (
            <form className="space-y-9" onSubmit={submit}>
              {children}
              {form?.isDirty && <SaveBar onDiscard={form.onDiscard} isBusy={form.isBusy} />}
            </form>
          )}
          {after}
        </div>
      </QueryResult>
      <LeaveDialog isUnsaved={form?.isDirty ?? false} what="Your changes" />
    </PageFrame>
  );
}
