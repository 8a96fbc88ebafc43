import { Button } from '../../design/button.tsx';

type Props = { isBusy: boolean; onCancel: (() => void) | undefined };

/** The save and cancel buttons of a form. */
export function FormButtons({ isBusy, onCancel }: Props) {
  return (
    <div className="flex justify-end gap-2">
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      <Button type="submit" look="primary" isBusy={isBusy}>
        Save
      </Button>
    </div>
  );
}
