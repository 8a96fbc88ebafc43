import { useState } from 'react';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';

/** Sources whose answers a person describes, as far as they are not understood by looking at them. */
export const describedSources: readonly string[] = ['http_json'];

const pagings = [
  { by: '', text: 'found by itself' },
  { by: 'none', text: 'there is one page' },
  { by: 'link', text: 'a Link header' },
  { by: 'url', text: 'the address of the next page' },
  { by: 'token', text: 'a token for the next page' },
  { by: 'page', text: 'counted pages' },
  { by: 'offset', text: 'how many came before' },
] as const;
type By = (typeof pagings)[number]['by'];

const isTold = (by: By) => by === 'url' || by === 'token';
const isCounted = (by: By) => by === 'page' || by === 'offset';

/** How the answer is read. What is left empty is found by looking at it. */
export function ShapeFields() {
  const [by, setBy] = useState<By>('');
  return (
    <details className="w-full rounded-xl border border-line px-4 py-3 open:pb-4">
      <summary className="cursor-pointer rounded text-sm font-medium">How the answer is read</summary>
      <p className="mt-2 text-[13px] text-faint">What you leave empty is found by looking at the answer.</p>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        <TextField label="Where the items stand" name="items" placeholder="data.results" maxLength={500} />
        <TextField label="What tells them apart" name="id" placeholder="id" maxLength={200} />
        <TextField label="Title" name="title" placeholder="name, or {{item.name}} ({{item.state}})" maxLength={1_000} />
        <TextField label="When it was changed" name="changed_at" placeholder="updated_at" maxLength={200} />
        <div className="sm:col-span-2">
          <TextArea label="Text" name="body" placeholder="description" maxLength={10_000} />
        </div>
        <TextField label="Type of the pages" name="page_type" placeholder="item" maxLength={60} />
        <TextField
          label="Parameter for what changed since"
          name="since_parameter"
          placeholder="updated_after"
          maxLength={200}
        />
        <SelectField
          label="The next page is told by"
          name="paging"
          value={by}
          onChange={(event) => setBy(event.target.value as By)}
        >
          {pagings.map((each) => (
            <option key={each.by} value={each.by}>
              {each.text}
            </option>
          ))}
        </SelectField>
        {isTold(by) && (
          <TextField label="It stands at" name="paging_at" required placeholder="meta.next" maxLength={500} />
        )}
        {(by === 'token' || isCounted(by)) && (
          <TextField
            label="Parameter that takes it"
            name="page_parameter"
            required
            placeholder="page"
            maxLength={200}
          />
        )}
        {isCounted(by) && (
          <TextField label="Items on a page" name="paging_size" type="number" required min={1} max={10_000} />
        )}
      </div>
    </details>
  );
}

/** What was filled in, as the input of the source. */
export function shapeIn(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const by = text('paging') as By; // the field offers no other
  const paging = {
    by,
    ...(isTold(by) && { at: text('paging_at') }),
    ...(isCounted(by) && { size: Number(text('paging_size')) }),
  };
  const query = [
    [text('since_parameter'), '{{since}}'],
    [text('page_parameter'), '{{page}}'],
  ].filter(([name]) => name);
  const named = ['items', 'id', 'title', 'changed_at', 'page_type'].map((name) => [name, text(name)] as const);
  return {
    ...Object.fromEntries(named.filter(([, value]) => value)),
    ...(text('body') && { body: [text('body')] }),
    ...(by && { paging }),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
  };
}
