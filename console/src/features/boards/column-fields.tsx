import { useState } from 'react';
import { SelectField, TextField } from '../../design/field.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import type { Board } from './requests.ts';

type Props = {
  datasets: Board['data']['datasets'];
  /** Datasets that links fill cannot be chosen. */
  filled: readonly string[];
  /** Lists of columns to choose, each with the name of its field. */
  lists: readonly { field: string; label: string }[];
};

/** Chooses a dataset, and columns of it. */
export function ColumnFields({ datasets, filled, lists }: Props) {
  const names = Object.keys(datasets).filter((name) => !filled.includes(name));
  const withColumns = names.find((name) => datasets[name]?.columns.length);
  const [dataset, setDataset] = useState(withColumns ?? names[0] ?? 'default');
  const columns = datasets[dataset]?.columns ?? [];
  return (
    <>
      {names.length > 1 && (
        <SelectField label="Dataset" value={dataset} onChange={(event) => setDataset(event.target.value)}>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      )}
      <input type="hidden" name="dataset" value={dataset} />
      {lists.map(({ field, label }) =>
        columns.length ? (
          <fieldset key={`${dataset} ${field}`}>
            <legend className="mb-1.5 text-[13px] font-medium text-soft">{label}</legend>
            <div className="flex flex-wrap gap-x-5 gap-y-2">
              {columns.map(({ name }) => (
                <label key={name} className="flex min-h-6 items-center gap-2 text-sm">
                  <input type="checkbox" name={field} value={name} className="size-4 accent-go" />
                  <bdi>{name}</bdi>
                </label>
              ))}
            </div>
          </fieldset>
        ) : (
          <TextField key={field} name={field} label={label} hint="Names, with commas between them." maxLength={2_000} />
        ),
      )}
    </>
  );
}

/** The columns that were chosen or typed. */
export function readColumns({ data }: FormFields, field: string): string[] {
  const given = data.getAll(field).map(String);
  const names = given.length === 1 ? (given[0] ?? '').split(',') : given;
  return names.map((name) => name.trim()).filter(Boolean);
}
