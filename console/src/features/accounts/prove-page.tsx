import { Mark } from '../../design/mark.tsx';
import { useTitle } from '../../design/page.tsx';
import { ProofForm } from './proof-dialog.tsx';

/** Asks a person for proof, and returns to the server's consent page. */
export function ProvePage({ back }: { back: string }) {
  useTitle('Confirm that it is you');
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-sm animate-rise">
        <Mark className="size-11" />
        <h1 className="mt-6 text-2xl font-semibold tracking-tight">Confirm that it is you</h1>
        <p className="mt-2 mb-7 leading-relaxed text-soft">
          You signed in more than 10 minutes ago. Confirm once more, then choose what the client may do.
        </p>
        <ProofForm onProved={() => location.assign(back)} />
      </div>
    </main>
  );
}
