import { useState } from 'react';
import { SelectField, TextArea, TextField } from '../../design/field.tsx';

/** Sources whose response format a person may describe. */
export const describedSources: readonly string[] = ['http_json'];

const pagings = [
  { by: '', text: 'detect automatically' },
  { by: 'none', text: 'no paging' },
  { by: 'link', text: 'a Link header' },
  { by: 'url', text: 'a URL in the response' },
  { by: 'token', text: 'a page token' },
  { by: 'page', text: 'page numbers' },
  { by: 'offset', text: 'an offset' },
] as const;
type PagingKind = (typeof pagings)[number]['by'];

const isFromAnswer = (by: PagingKind) => by === 'url' || by === 'token';
const isCounted = (by: PagingKind) => by === 'page' || by === 'offset';

/** The response format. Empty fields are detected. */
export function ShapeFields() {
  const [by, setBy] = useState<PagingKind>('');
  return (
    <details className="w-full rounded-xl border border-line px-4 py-3 open:pb-4">
      <summary className="cursor-pointer rounded text-sm font-medium">Response format</summary>
      <p className="mt-2 text-[13px] text-faint">Empty fields are detected from the response.</p>
      <div className="mt-3 grid gap-3 sm:grid-cols-2">
        <TextField label="Path of the items" name="items" placeholder="data.results" maxLength={500} />
        <TextField label="ID field" name="id" placeholder="id" maxLength={200} />
        <TextField label="Title" name="title" placeholder="name, or {{item.name}} ({{item.state}})" maxLength={1_000} />
        <TextField label="Changed at" name="changed_at" placeholder="updated_at" maxLength={200} />
        <div className="sm:col-span-2">
          <TextArea label="Text" name="body" placeholder="description" maxLength={10_000} />
        </div>
        <TextField label="Page type" name="page_type" placeholder="item" maxLength={60} />
        <TextField
          label="“Changed since” parameter"
          name="since_parameter"
          placeholder="updated_after"
          maxLength={200}
        />
        <SelectField
          label="Paging"
          name="paging"
          value={by}
          onChange={(event) => setBy(event.target.value as PagingKind)}
        >
          {pagings.map((each) => (
            <option key={each.by} value={each.by}>
              {each.text}
            </option>
          ))}
        </SelectField>
        {isFromAnswer(by) && (
          <TextField label="Path" name="paging_at" required placeholder="meta.next" maxLength={500} />
        )}
        {(by === 'token' || isCounted(by)) && (
          <TextField label="Parameter" name="page_parameter" required placeholder="page" maxLength={200} />
        )}
        {isCounted(by) && (
          <TextField label="Items per page" name="paging_size" type="number" required min={1} max={10_000} />
        )}
      </div>
    </details>
  );
}

/** The filled fields, as input of the source. */
export function parseShape(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const by = text('paging') as PagingKind; // the field offers no other
  const paging = {
    by,
    ...(isFromAnswer(by) && { at: text('paging_at') }),
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
