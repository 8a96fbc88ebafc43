import type { Command } from 'commander';
import { callOperation } from '../client.ts';
import { printAnswer } from '../output.ts';
import { readProfile } from '../profile.ts';

type Json = { json?: boolean };

/** Short forms of the operations of automations; `call` reaches them too. */
export function addAutomationsCommand(program: Command): void {
  const automations = program.command('automations').description('Scripts that run by themselves.');
  automations
    .command('list')
    .description('Automations with their state, next run and last run.')
    .option('--json', 'print JSON')
    .action(async (options: Json) => printAnswer(await callOperation(readProfile(), 'list_automations', {}), options));
  automations
    .command('run <automation_id>')
    .description('Run one now and wait for its end. Nothing leaves the server, unless --live is given.')
    .option('--live', 'draft what would leave the server')
    .option('--json', 'print JSON')
    .action(async (automation_id: string, { live = false, ...options }: Json & { live?: boolean }) => {
      const run = await callOperation(readProfile(), 'run_automation_once', { automation_id, dry_run: !live });
      printAnswer(run, options);
      if (run.status !== 'succeeded') process.exitCode = 1;
    });
  automations
    .command('logs <automation_id>')
    .description('What its last run wrote, or another run of it.')
    .option('--run <run_id>', 'the run; the last one unless given')
    .option('--json', 'print JSON')
    .action(async (automation_id: string, { run, ...options }: Json & { run?: string }) => {
      const run_id = run ?? (await lastRun(automation_id));
      const { stdout, stderr, ...record } = await callOperation(readProfile(), 'get_automation_run', { run_id });
      if (options.json) return printAnswer({ ...record, stdout, stderr }, options);
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      process.stderr.write(`${record.status}${record.error ? `: ${record.error}` : ''}\n`);
    });
  automations
    .command('pause <automation_id>')
    .description('Pause one. Runs under way go on.')
    .option('--json', 'print JSON')
    .action(async (automation_id: string, options: Json) =>
      printAnswer(await callOperation(readProfile(), 'update_automation', { automation_id, state: 'paused' }), options),
    );
}

async function lastRun(automation_id: string): Promise<string> {
  const { runs } = await callOperation(readProfile(), 'list_automation_runs', { automation_id, limit: 1 });
  const [last] = runs;
  if (!last) throw new Error('This automation has not run yet. Start it by `thalamus automations run`.');
  return last.run_id;
}
