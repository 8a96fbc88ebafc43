import { useQuery } from '@tanstack/react-query';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/states.tsx';
import { buildSignInMethodsQuery, signInWith } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Buttons to sign in with a provider's account. Renders nothing without an OAuth client. */
export function ProviderButtons({ back, workspace }: { back: string; workspace?: string | undefined }) {
  const { data: methods } = useQuery(buildSignInMethodsQuery(workspace));
  const leaving = useCall(signInWith);
  if (!methods?.providers.length) return null;
  return (
    <div className="mb-7 space-y-3">
      {methods.providers.map(({ name, label }) => (
        <Button
          key={name}
          size="large"
          className="w-full"
          isBusy={leaving.isBusy || leaving.isSuccess}
          onClick={() => leaving.call({ provider: name, back, ...(workspace && { workspace }) })}
        >
          Sign in with {label}
        </Button>
      ))}
      {leaving.error && <Notice tone="stop">{formatErrorMessage(leaving.error)}</Notice>}
    </div>
  );
}
