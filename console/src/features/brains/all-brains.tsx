import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { meQuery } from '../../entities/me.ts';
import { ImportDialog } from './import-dialog.tsx';
import { Overview } from './overview.tsx';
import type { BrainAddress } from './tab-names.ts';

type Props = { address: BrainAddress; onChange: (change: BrainAddress) => void };

/** Recent activity in all brains of the person. */
export function AllBrains({ address, onChange }: Props) {
  const { data: me } = useQuery(meQuery);
  const [isImporting, setIsImporting] = useState(false);
  return (
    <div className="mx-auto max-w-4xl px-4 pt-6 pb-24 sm:px-8 md:pt-10">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="text-[22px] leading-tight font-semibold tracking-tight">All brains</h2>
        {me?.scopes.includes('brains:move') && (
          <Button size="small" icon={<Upload className="size-4" aria-hidden />} onClick={() => setIsImporting(true)}>
            Import
          </Button>
        )}
      </header>
      {isImporting && <ImportDialog onClose={() => setIsImporting(false)} />}
      <p className="mt-1.5 mb-6 max-w-xl text-[15px] leading-relaxed text-pretty text-soft">
        A brain holds the knowledge of a person, a team or a product. A sub-brain inherits core knowledge and skills.
      </p>
      <Overview address={address} onChange={onChange} />
    </div>
  );
}
