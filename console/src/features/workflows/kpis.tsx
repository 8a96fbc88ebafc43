import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { PartSection } from './part-section.tsx';
import { changeWorkflow, type Workflow } from './requests.ts';

type Kpi = Workflow['kpis'][number];

/** The figures of a workflow. A value that a board gives cannot be set by hand. */
export function Kpis({ of: workflow }: { of: Workflow }) {
  return (
    <PartSection
      of={workflow}
      title="KPIs"
      noun="KPI"
      empty="No KPIs yet. Add a figure with a target to see how far the goal is."
      parts={workflow.kpis}
      getName={({ name }) => name}
      renderPart={(kpi) => <Figure of={kpi} />}
      renderDialog={(kpi, onClose) => <KpiDialog of={workflow} kpi={kpi} onClose={onClose} />}
      buildRemoval={({ name }) => ({ remove_kpis: [name] })}
    />
  );
}

function Figure({ of: { name, value, target, unit, problem } }: { of: Kpi }) {
  return (
    <>
      <span className="min-w-0 flex-1 basis-40">
        <span className="block font-medium">
          <bdi>{name}</bdi>
        </span>
        {problem !== null && <span className="mt-0.5 block text-sm text-soft">{problem}</span>}
      </span>
      <span className="tabular-nums">
        {value === null ? 'No value' : `${value.toLocaleString()} ${unit}`}
        {target !== null && <span className="text-soft"> of {target.toLocaleString()}</span>}
      </span>
    </>
  );
}

type DialogProps = { of: Workflow; kpi: Kpi | null; onClose: () => void };

function KpiDialog({ of: { workflow_id }, kpi, onClose }: DialogProps) {
  const isMeasured = kpi?.query != null;
  return (
    <FormDialog
      onClose={onClose}
      title={kpi ? kpi.name : 'Add a KPI'}
      description={isMeasured ? 'A board gives the value.' : undefined}
      act={kpi ? 'Save' : 'Add KPI'}
      refreshes={['workflows']}
      success="Saved"
      run={(fields) => {
        const name = kpi?.name ?? fields.readText('name');
        const given = { name, target: readNumber(fields, 'target'), unit: fields.readText('unit') };
        return changeWorkflow({
          workflow_id,
          kpis: [isMeasured ? given : { ...given, value: readNumber(fields, 'value') }],
        });
      }}
    >
      {!kpi && <TextField name="name" label="Name" required maxLength={100} />}
      {!isMeasured && (
        <TextField
          name="value"
          label="Value"
          hint="Leave it empty while there is no value."
          type="number"
          step="any"
          defaultValue={kpi?.value ?? ''}
        />
      )}
      <TextField name="target" label="Target" type="number" step="any" defaultValue={kpi?.target ?? ''} />
      <TextField name="unit" label="Unit" maxLength={40} defaultValue={kpi?.unit ?? ''} placeholder="companies" />
    </FormDialog>
  );
}

function readNumber({ readText }: FormFields, name: string): number | null {
  const text = readText(name);
  return text === '' ? null : Number(text);
}
