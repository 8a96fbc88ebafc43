import { FileUp, X } from 'lucide-react';
import { useRef, useState, type ChangeEvent, type DragEvent, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { formatByteCount } from '../../design/size.ts';
import { BrainField } from '../../entities/brain-field.tsx';
import { useUploads, type Upload } from './use-uploads.ts';

const formats = '.txt,.md,.pdf,.docx,.doc,.odt,.rtf,.xlsx,.xlsm,.pptx,.html,.htm,.csv,.tsv,.eml';

/** Uploads dropped or chosen files and shows the progress of each. */
export function UploadArea({ homeBrainId }: { homeBrainId: string }) {
  const [brainId, setBrainId] = useState(homeBrainId);
  const [keepsBoth, setKeepsBoth] = useState(false);
  const { uploads, add, remove } = useUploads(brainId, keepsBoth);
  return (
    <section aria-label="Upload documents" className="mb-6">
      <DropZone onFiles={add}>
        <div className="min-w-0">
          <p className="text-sm font-medium">Drop files here</p>
          <p className="mt-1 text-sm text-soft">
            PDF, Word, Excel, PowerPoint, OpenDocument text, Markdown, text, HTML, RTF, CSV and mails, up to 100 MB.
          </p>
          <p className="mt-1 text-sm text-soft">A file replaces the one with the same name in the brain.</p>
          <label className="mt-2 flex w-fit cursor-pointer items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={keepsBoth}
              onChange={({ target }) => setKeepsBoth(target.checked)}
              className="size-4 accent-go"
            />
            Keep both instead
          </label>
        </div>
        <div className="flex flex-wrap items-end gap-3 max-sm:w-full">
          <div className="min-w-44 max-sm:flex-1">
            <BrainField canWrite label="Brain" value={brainId} onChange={({ target }) => setBrainId(target.value)} />
          </div>
          <FileChooser onFiles={add} />
        </div>
      </DropZone>
      {uploads.length > 0 && (
        <ul className="mt-3 space-y-2">
          {uploads.map((each) => (
            <UploadRow key={each.id} of={each} onRemove={() => remove(each.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

type OnFiles = (files: readonly File[]) => void;

function DropZone({ onFiles, children }: { onFiles: OnFiles; children: ReactNode }) {
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <div
      onDrop={drop}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      className={joinClassNames(
        'flex flex-wrap items-end justify-between gap-4 rounded-2xl border border-dashed p-5 transition-colors',
        isOver ? 'border-go bg-go-wash' : 'border-edge bg-surface',
      )}
    >
      {children}
    </div>
  );
}

function FileChooser({ onFiles }: { onFiles: OnFiles }) {
  const chooser = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(target.files ?? [])]);
    target.value = ''; // so that the same file can be chosen again
  };
  return (
    <>
      <Button look="primary" icon={<FileUp className="size-4" aria-hidden />} onClick={() => chooser.current?.click()}>
        Choose files
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        accept={formats}
        aria-label="Files to upload"
        className="sr-only"
        tabIndex={-1}
        onChange={choose}
      />
    </>
  );
}

const stateText: Record<Upload['state'], string> = {
  waiting: 'Waiting',
  sending: 'Uploading',
  reading: 'Reading its text',
  failed: 'Not stored',
};

function UploadRow({ of: { name, size, state, share, error }, onRemove }: { of: Upload; onRemove: () => void }) {
  const isFailed = state === 'failed';
  return (
    <li className="rounded-xl border border-line bg-surface px-4 py-3 text-sm">
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
        <span className={isFailed ? 'text-stop' : 'text-soft'} role="status">
          {stateText[state]} · {formatByteCount(size)}
        </span>
        <Button
          size="small"
          look="quiet"
          icon={<X className="size-4" aria-hidden />}
          aria-label={isFailed ? `Dismiss ${name}` : `Cancel ${name}`}
          onClick={onRemove}
        />
      </div>
      {error && (
        <p role="alert" className="mt-1 wrap-anywhere text-stop">
          {error}
        </p>
      )}
      {(state === 'sending' || state === 'reading') && (
        <progress
          aria-label={`Upload of ${name}`}
          max={1}
          value={state === 'reading' ? undefined : share}
          className="mt-2 h-1.5 w-full overflow-hidden rounded-full accent-go"
        />
      )}
    </li>
  );
}
