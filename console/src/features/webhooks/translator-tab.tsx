import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { emptySdk } from '../automations/sdk.ts';
import { SourceEditor } from '../automations/source-editor.tsx';
import { FixturesSection, type UnsavedCode } from './fixtures-section.tsx';
import type { Connector } from '../../entities/webhook-connectors.ts';
import { useHasScope } from '../../entities/me.ts';
import { useUpdate } from './use-update.ts';
import { VersionList } from './version-list.tsx';

type Runtime = Connector['translator_runtime'];

const firstCode: Record<Runtime, string> = {
  v8: `export function translate({ body, headers, query }) {
  // Answer documents to store them, or { drop: true, drop_reason } to leave the event out.
  return {
    documents: [{ content: JSON.stringify(body, null, 2), source_id: body.id }],
  };
}
`,
  python: `import json

def translate(event):
    # Answer documents to store them, or {"drop": True, "drop_reason": "..."} to leave the event out.
    body = event["body"]
    return {"documents": [{"content": json.dumps(body, indent=2), "source_id": body.get("id")}]}
`,
};

/** The code that makes documents of events, its fixtures and its versions. */
export function TranslatorTab({ of: connector }: { of: Connector }) {
  return (
    <div className="space-y-8">
      <CodeAndFixtures key={connector.version} of={connector} />
      <VersionList of={connector} />
    </div>
  );
}

function CodeAndFixtures({ of: connector }: { of: Connector }) {
  const { translator_code: code, starter_code, translator_runtime } = connector;
  const [runtime, setRuntime] = useState(translator_runtime);
  const [edited, setEdited] = useState<string | null>(null);
  const isStarter = code === null && runtime === 'v8' && starter_code !== null;
  const shown = code ?? (isStarter ? starter_code : firstCode[runtime]);
  const isUnsaved = code === null || (edited !== null && edited !== shown);
  const unsaved = isUnsaved ? { translator_code: edited ?? shown, translator_runtime: runtime } : null;
  const choose = (language: Runtime) => {
    setRuntime(language);
    setEdited(null);
  };
  return (
    <>
      <CodeSection of={connector} {...{ runtime, shown, isStarter, unsaved }} onEdit={setEdited} onChoose={choose} />
      <FixturesSection of={connector} unsaved={unsaved} />
    </>
  );
}

type CodeProps = {
  of: Connector;
  runtime: Runtime;
  shown: string;
  isStarter: boolean;
  unsaved: UnsavedCode | null;
  onEdit: (code: string | null) => void;
  onChoose: (runtime: Runtime) => void;
};

function CodeSection({ of: connector, runtime, shown, isStarter, unsaved, onEdit, onChoose }: CodeProps) {
  const { webhook_connector_id: id, translator_code: code, version } = connector;
  const mayChange = useHasScope('connectors:write');
  const [discarded, setDiscarded] = useState(0);
  const saving = useUpdate(id, 'Translator saved');
  const isChanged = unsaved !== null && unsaved.translator_code !== shown;
  const discard = () => {
    onEdit(null);
    setDiscarded(discarded + 1);
  };
  return (
    <Section
      title={code === null ? 'Translator' : `Translator, version ${version}`}
      lead="Runs in the sandbox for each event, without network, for at most 5 seconds."
      action={
        mayChange && (
          <div className="flex flex-wrap items-center gap-2">
            {code === null && <LanguageField value={runtime} onChange={onChoose} />}
            {isChanged && <Button onClick={discard}>Discard</Button>}
            {unsaved && (
              <Button look="primary" isBusy={saving.isBusy} onClick={() => saving.call(unsaved)}>
                Save as new version
              </Button>
            )}
          </div>
        )
      }
    >
      {code === null && <Beginning isStarter={isStarter} />}
      <Card className="overflow-hidden">
        <SourceEditor
          key={`${discarded} ${runtime}`}
          value={shown}
          language={runtime === 'python' ? 'python' : 'typescript'}
          sdk={emptySdk}
          variables={[]}
          isReadOnly={!mayChange}
          onChange={onEdit}
        />
      </Card>
    </Section>
  );
}

function LanguageField({ value, onChange }: { value: Runtime; onChange: (runtime: Runtime) => void }) {
  return (
    <SelectField
      label="Language"
      isLabelHidden
      value={value}
      onChange={(event) => onChange(event.target.value === 'python' ? 'python' : 'v8')}
    >
      <option value="v8">JavaScript or TypeScript</option>
      <option value="python">Python</option>
    </SelectField>
  );
}

function Beginning({ isStarter }: { isStarter: boolean }) {
  return (
    <p className="mb-3 text-sm text-soft">
      {isStarter
        ? 'This translator fits the sender. Save it as it is, or change it first.'
        : 'Nothing is saved yet. Begin with this code.'}
    </p>
  );
}
