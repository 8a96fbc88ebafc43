import { SelectField } from '../../design/field.tsx';
import type { AccessLevel } from './requests.ts';

const levelWords: Record<AccessLevel, string> = {
  viewer: 'Viewer: reads',
  editor: 'Editor: reads and writes',
  admin: 'Admin: also manages members and settings',
  owner: 'Owner: hand the brain on',
};

type Props = { levels: readonly AccessLevel[]; level: AccessLevel; cascades: boolean };

/** What somebody may do on a brain, and whether it reaches those below it. */
export function AccessFields({ levels, level, cascades }: Props) {
  return (
    <>
      <SelectField label="What they may do" name="access_level" defaultValue={level}>
        {levels.map((each) => (
          <option key={each} value={each}>
            {levelWords[each]}
          </option>
        ))}
      </SelectField>
      <label className="flex cursor-pointer items-center gap-2.5 text-sm">
        <input type="checkbox" name="cascades" defaultChecked={cascades} className="size-4 accent-go" />
        In the brains below, too
      </label>
    </>
  );
}

/** What was chosen in `AccessFields`. */
export function accessOf<Level extends AccessLevel>(
  form: FormData,
  levels: readonly [Level, ...Level[]],
): { access_level: Level; cascades: boolean } {
  const said = form.get('access_level');
  return { access_level: levels.find((level) => level === said) ?? levels[0], cascades: form.has('cascades') };
}
