import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyBox } from '../../design/copy-box.tsx';
import { SelectField } from '../../design/field.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { setupsQuery } from './requests.ts';

/** The text to copy into another product. With a token it is complete. */
export function SetupGuide({ token }: { token: string | null }) {
  const { data, error, isPending } = useQuery(setupsQuery);
  const [product, setProduct] = useState('make');
  if (isPending) return <Skeleton label="Loading set-ups" />;
  if (error) return <ErrorState error={error} />;
  const setup = data.setups.find((each) => each.product === product);
  return (
    <div className="space-y-3">
      <SelectField label="Setup for" value={product} onChange={(event) => setProduct(event.target.value)}>
        {data.setups.map(({ product: name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </SelectField>
      {setup && (
        <>
          <ol className="list-decimal space-y-1 pl-5 text-sm text-soft">
            {setup.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <div className="max-h-72 overflow-y-auto">
            <CopyBox
              text={token ? setup.copy.replaceAll(data.token_place, token) : setup.copy}
              label="set-up"
              title={setup.title}
              isBlock
            />
          </div>
        </>
      )}
    </div>
  );
}
