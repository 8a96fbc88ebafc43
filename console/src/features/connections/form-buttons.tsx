import { Button } from '../../design/button.tsx';

type Props = { isBusy: boolean; onCancel: (() => void) | undefined };

/** Ends a form: saved, or left as it was where there is something to go back to. */
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
