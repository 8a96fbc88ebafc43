import { Command } from 'commander';
import { addAuditCommand } from './commands/audit.ts';
import { addAutomationsCommand } from './commands/automations.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addCallCommand } from './commands/call.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addExportBrainCommand } from './commands/export-brain.ts';
import { addExportCommand } from './commands/export.ts';
import { addHookCommand } from './commands/hook.ts';
import { addImportCommand } from './commands/import.ts';
import { addInboxCommand } from './commands/inbox.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addLoginCommand } from './commands/login.ts';
import { addRotateMasterKeyCommand } from './commands/rotate-master-key.ts';
import { addSignInCommand } from './commands/sign-in.ts';
import { addStartCommand } from './commands/start.ts';
import { addWebhooksCommand } from './commands/webhooks.ts';
import { reportFailure } from './failure.ts';

/**
 * Runs the command that the process was given. An error is reported, and determines the exit code. Every command is
 * registered at each start, so modules that only one command needs are imported when it runs.
 */
export async function run(): Promise<void> {
  const program = new Command('thalamus')
    .description('Shared memory for agents, integrations without credentials, and writes that wait for approval.')
    .showHelpAfterError()
    .enablePositionalOptions();

  addStartCommand(program);
  addLoginCommand(program);
  addSignInCommand(program);
  addCallCommand(program);
  addInboxCommand(program);
  addAutomationsCommand(program);
  addWebhooksCommand(program);
  addKeysCommand(program);
  addHookCommand(program);
  addExportBrainCommand(program);
  addExportCommand(program);
  addImportCommand(program);
  addAuditCommand(program);
  addDoctorCommand(program);
  addBackupCommands(program);
  addRotateMasterKeyCommand(program);

  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}
