import { kindWords } from './words.ts';
import type { RecipeKind } from './requests.ts';

/** The icon of a kind of recipe. */
export function KindSign({ kind }: { kind: RecipeKind }) {
  const Icon = kindWords[kind].icon;
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-xl border border-line bg-sunken text-soft">
      <Icon className="size-5" aria-hidden />
    </span>
  );
}
