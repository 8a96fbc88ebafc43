import { useQuery } from '@tanstack/react-query';
import { buildBrainTree } from './brain-tree.ts';
import { brainsQuery, isAtLeast } from './brains.ts';

type Props = {
  label: string;
  hint: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** A brain that is chosen elsewhere, and left out. */
  except?: string | undefined;
  disabled?: boolean;
};

/** A choice of any number of brains that the person may write to, indented like their tree. */
export function BrainsField({ label, hint, chosen, onChange, except, disabled }: Props) {
  const { data: brains = [] } = useQuery(brainsQuery);
  const fits = brains.filter(
    ({ id, access_level }) => chosen.includes(id) || (id !== except && isAtLeast(access_level, 'editor')),
  );
  if (!fits.length) return null;
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1.5 text-[13px] font-medium text-soft">{label}</legend>
      <div className="max-h-56 overflow-y-auto rounded-lg border border-edge px-3 py-1.5">
        {buildBrainTree(fits).map(({ brain: { id, name }, depth }) => (
          <label
            key={id}
            className="flex cursor-pointer items-center gap-2.5 py-1 text-sm"
            style={{ paddingLeft: `${depth}rem` }}
          >
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-go"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
            <span className="min-w-0 truncate">{name}</span>
          </label>
        ))}
      </div>
      <p className="mt-1.5 text-[13px] text-faint">{hint}</p>
    </fieldset>
  );
}
