import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { printAnswer } from '../output.ts';
import { readProfile } from '../profile.ts';

type Json = { json?: boolean };

/** Short forms of the automation operations; `call` runs them, too. */
export function addAutomationsCommand(program: Command): void {
  const automations = program.command('automations').description('Scripts that run automatically.');
  automations
    .command('list')
    .description('Automations with their state, next run and last run.')
    .option('--json', 'print JSON')
    .action(async (options: Json) => printAnswer(await callOperation(readProfile(), 'list_automations', {}), options));
  automations
    .command('run <automation_id>')
    .description('Run one now and wait for its end. Without --live nothing leaves the server.')
    .option('--live', 'allow drafts of outside writes')
    .option('--json', 'print JSON')
    .action(async (automation_id: string, { live = false, ...options }: Json & { live?: boolean }) => {
      const run = await callOperation(readProfile(), 'run_automation_once', { automation_id, dry_run: !live });
      printAnswer(run, options);
      if (run.status !== 'succeeded') process.exitCode = 1;
    });
  automations
    .command('logs <automation_id>')
    .description('Show the log of its last run, or of another run.')
    .option('--run <run_id>', 'the run (default: the last one)')
    .option('--json', 'print JSON')
    .action(async (automation_id: string, { run, ...options }: Json & { run?: string }) => {
      const run_id = run ?? (await findLastRun(automation_id));
      const { stdout, stderr, ...record } = await callOperation(readProfile(), 'get_automation_run', { run_id });
      if (options.json) return printAnswer({ ...record, stdout, stderr }, options);
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      process.stderr.write(`${record.status}${record.error ? `: ${record.error}` : ''}\n`);
    });
  automations
    .command('pause <automation_id>')
    .description('Pause one. Current runs finish.')
    .option('--json', 'print JSON')
    .action(async (automation_id: string, options: Json) =>
      printAnswer(await callOperation(readProfile(), 'update_automation', { automation_id, state: 'paused' }), options),
    );
}

async function findLastRun(automation_id: string): Promise<string> {
  const { runs } = await callOperation(readProfile(), 'list_automation_runs', { automation_id, limit: 1 });
  const [last] = runs;
  if (!last) throw new Error('This automation has not run yet. Run it with `thalamus automations run`.');
  return last.run_id;
}
