import { SelectField } from '../../design/field.tsx';
import type { AccessLevel } from '../../entities/brains.ts';

const levelWords: Record<AccessLevel, string> = {
  viewer: 'Viewer: can read',
  editor: 'Editor: can read and write',
  admin: 'Admin: can also manage members and settings',
  owner: 'Owner: takes over the brain',
};

type Props = { levels: readonly AccessLevel[]; level: AccessLevel; cascades: boolean };

/** A role on a brain, and whether it includes the brains below. */
export function AccessFields({ levels, level, cascades }: Props) {
  return (
    <>
      <SelectField label="Role" name="access_level" defaultValue={level}>
        {levels.map((each) => (
          <option key={each} value={each}>
            {levelWords[each]}
          </option>
        ))}
      </SelectField>
      <label className="flex cursor-pointer items-center gap-2.5 text-sm">
        <input type="checkbox" name="cascades" defaultChecked={cascades} className="size-4 accent-go" />
        Include sub-brains
      </label>
    </>
  );
}

/** The values of `AccessFields`. */
export function parseAccess<Level extends AccessLevel>(
  form: FormData,
  levels: readonly [Level, ...Level[]],
): { access_level: Level; cascades: boolean } {
  const said = form.get('access_level');
  return { access_level: levels.find((level) => level === said) ?? levels[0], cascades: form.has('cascades') };
}
