import { Button } from '../../design/button.tsx';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { TextArea, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { formatCount } from '../../design/format-count.ts';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { ColumnFields, readColumns } from './column-fields.tsx';
import { closeForm, createForm, type Board, type BoardForm, type NewForm } from './requests.ts';

type Props = { forms: readonly BoardForm[]; mayShare: boolean };

/** Pages where people without an account add rows. */
export function BoardForms({ forms, mayShare }: Props) {
  return (
    <Section title="Forms" lead="Pages where people without an account add rows. They see nothing of the board.">
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {forms.map((form) => (
          <FormRow key={form.form_id} form={form} mayShare={mayShare} />
        ))}
      </ul>
    </Section>
  );
}

function FormRow({ form, mayShare }: { form: BoardForm; mayShare: boolean }) {
  const { form_id: id, title, dataset, entries, last_entry_at: lastAt, closed_at: closedAt } = form;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <span className="min-w-0 flex-1 basis-52">
        <span className="block truncate font-medium">
          <bdi>{title}</bdi>
        </span>
        <span className="mt-0.5 block text-sm text-soft">
          {closedAt === null ? '' : 'Closed · '}
          {formatCount(entries, 'row')} in <bdi>{dataset}</bdi>
          {lastAt !== null && (
            <>
              {', the last '}
              <Ago at={lastAt} />
            </>
          )}
        </span>
      </span>
      {mayShare && closedAt === null && (
        <ConfirmButton
          label="Close"
          about={`form ${title}`}
          title="Close this form?"
          description="Its address takes nothing any more and cannot be opened again. Rows that came through it stay."
          act="Close form"
          run={() => closeForm(id)}
          refreshes={['boards']}
          success="Form closed"
        />
      )}
    </li>
  );
}

/** Makes a form, and shows its address once. */
export function NewFormDialog({
  board,
  filled,
  onClose,
}: {
  board: Board;
  filled: readonly string[];
  onClose: () => void;
}) {
  return (
    <FormDialog
      onClose={onClose}
      title="New form"
      description="Everybody who has its address can add rows to this board in your name."
      act="Create form"
      refreshes={['boards']}
      run={(fields) =>
        createForm({
          board_id: board.id,
          title: fields.readText('title'),
          intro: fields.readText('intro'),
          dataset: fields.readText('dataset'),
          columns: readColumns(fields, 'columns'),
          free_text: fields.data.has('free_text'),
        })
      }
      renderAnswer={(form) => <FormReady form={form} onClose={onClose} />}
    >
      <TextField name="title" label="Title" placeholder="Come to dinner" required maxLength={200} autoFocus />
      <TextArea name="intro" label="Introduction" hint="Shown above the fields." maxLength={2_000} />
      <ColumnFields datasets={board.data.datasets} filled={filled} lists={[{ field: 'columns', label: 'Fields' }]} />
      <label className="flex items-start gap-2 text-sm">
        <input type="checkbox" name="free_text" className="mt-0.5 size-4 accent-go" />
        <span>
          Sort a free text into the fields
          <span className="block text-[13px] text-faint">
            By the language model, at most 50 texts a day, at your cost. The sender confirms the fields.
          </span>
        </span>
      </label>
    </FormDialog>
  );
}

function FormReady({ form, onClose }: { form: NewForm; onClose: () => void }) {
  return (
    <div className="space-y-4">
      <Notice tone="go">
        <p className="font-medium">The form is ready</p>
        <p>Copy its address now. It is not stored and cannot be shown again.</p>
      </Notice>
      <CopyBox text={form.url} label="address of the form" />
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
