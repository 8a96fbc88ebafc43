import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { StepList } from '../../design/step-list.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { BrainsField } from '../../entities/brains-field.tsx';
import { connectorsQuery, type Connector } from '../../entities/webhook-connectors.ts';
import { buildFreshConnectorQuery, providersQuery } from './requests.ts';
import { SecretStep } from './secret-step.tsx';
import { SignatureFields, parseSignatureFields } from './signature-fields.tsx';
import { useHasScope } from '../../entities/me.ts';
import { useUpdate } from './use-update.ts';
import { getConnectorSender } from './words.ts';

/** The setup steps of the sender, and the settings of the connector. */
export function SetupTab({ of: connector }: { of: Connector }) {
  const { provider, signature_scheme: scheme, setup_steps } = connector;
  const { data: providers = [] } = useQuery(providersQuery);
  const known = providers.find((each) => each.provider === provider);
  const sender = known?.title ?? 'the sender';
  const isSigned = scheme !== 'none';
  const isFromSender = known?.secret_made_by === 'sender';
  const secret = isSigned && (
    <StepList.Step title={isFromSender ? `Paste the secret from ${sender}` : 'Copy the secret'}>
      <SecretStep of={connector} sender={sender} isFromSender={isFromSender} />
    </StepList.Step>
  );
  return (
    <div className="max-w-3xl space-y-8">
      <Card>
        <StepList>
          <StepList.Step title="Copy the address">
            <Address of={connector} />
          </StepList.Step>
          {!isFromSender && secret}
          <StepList.Step title={`Set up ${sender}`}>
            <ol className="list-decimal space-y-1.5 pl-5 text-sm leading-relaxed text-soft wrap-anywhere">
              {setup_steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </StepList.Step>
          {isFromSender && secret}
          <StepList.Step title="Send an event">
            <FirstEvent of={connector} sender={sender} />
          </StepList.Step>
        </StepList>
      </Card>
      <OwnProgram of={connector} />
      <Settings key={connector.version} of={connector} senderName={getConnectorSender(connector, providers)} />
    </div>
  );
}

/** The command that forwards events while people write a program of their own. */
function OwnProgram({ of: { webhook_connector_id: id } }: { of: Connector }) {
  return (
    <Section
      title="Your own program"
      lead="This command forwards each event to a program on your machine, as the sender sent it."
    >
      <CopyBox text={`npx thalamus webhooks listen ${id} --to http://localhost:3000/hook`} label="command" />
    </Section>
  );
}

function Address({ of: { webhook_connector_id: id, ingest_url, ingest_url_note: note } }: { of: Connector }) {
  const { data: fresh } = useQuery(buildFreshConnectorQuery(id));
  const url = ingest_url ?? fresh?.url;
  if (!url) return <p className="text-sm text-soft wrap-anywhere">{note}</p>;
  return (
    <>
      <CopyBox text={url} label="address" />
      {note && <Notice tone="wait">{note}</Notice>}
    </>
  );
}

function FirstEvent({ of: { webhook_connector_id: id, status }, sender }: { of: Connector; sender: string }) {
  const { data: connectors } = useQuery(connectorsQuery);
  const at = connectors?.find((each) => each.webhook_connector_id === id)?.last_event_at;
  if (at)
    return (
      <Notice tone="go">
        Last event: <Ago at={at} />. {status === 'draft' && 'Write the translator next.'}
      </Notice>
    );
  return (
    <p role="status" className="text-sm text-soft">
      Waiting for the first event. Have {sender} send one; it appears here automatically.
    </p>
  );
}

function Settings({ of: connector, senderName }: { of: Connector; senderName: string }) {
  const { webhook_connector_id: id, name, brain_id, signature_scheme: scheme } = connector;
  const mayChange = useHasScope('connectors:write');
  const saving = useUpdate(id, 'Settings saved');
  const [brain, setBrain] = useState(brain_id);
  const [allowed, setAllowed] = useState<readonly string[]>(connector.allowed_brain_ids);
  const isOpen = scheme === 'hmac_sha256';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    saving.call({
      name: String(form.get('name')).trim(),
      brain_id: brain,
      allowed_brain_ids: allowed.filter((each) => each !== brain),
      ...(isOpen && { signature_settings: parseSignatureFields(form) }),
    });
  };
  return (
    <Section title="Settings" lead="A change makes a new version, which takes effect when you activate it.">
      <Card className="p-5">
        <form className="space-y-4" onSubmit={submit}>
          <TextField label="Name" name="name" defaultValue={name} required maxLength={120} disabled={!mayChange} />
          <TextField label="Sender" value={senderName} disabled readOnly />
          {isOpen && <SignatureFields of={connector.signature_settings} disabled={!mayChange} />}
          <BrainField
            label="Brain"
            canWrite
            value={brain}
            onChange={(event) => setBrain(event.target.value)}
            hint="Documents are stored here unless the translator names another brain."
            disabled={!mayChange}
          />
          <BrainsField
            label="Other brains the translator may name"
            hint="In target_brain_id of a document. Every other brain is refused."
            chosen={allowed}
            onChange={setAllowed}
            except={brain}
            disabled={!mayChange}
          />
          {mayChange && (
            <div className="flex justify-end">
              <Button type="submit" isBusy={saving.isBusy}>
                Save settings
              </Button>
            </div>
          )}
        </form>
      </Card>
    </Section>
  );
}
