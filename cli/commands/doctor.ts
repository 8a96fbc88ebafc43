import type { Command } from 'commander';
import type { Config } from '#platform/config';
import type { Sandbox } from '#platform/sandbox';
import { callOperation } from '../client.ts';
import { reach } from '../reach.ts';
import { readProfile, getServerUrl } from '../profile.ts';
import { walkPublic } from '../public-checks.ts';

/** One check: its message when all is well, or a warning; otherwise an error that says what to do. */
type Check = { name: string; run(): Promise<string | Warning> };

/** It works, but the operator should change it. */
class Warning {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export type CheckResult = { name: string; ok: boolean; message: string; is_warning?: true };

/** `thalamus doctor`: checks the most frequent causes of problems, and says what to do. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Check settings, server, database and key, and say how to fix each problem.')
    .option(
      '--public [url]',
      'follow the path from the public address to a token, like Claude or ChatGPT, and report where it breaks',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean; public?: string | true }) => {
      const results: CheckResult[] = options.public
        ? await walkPublic(getPublicUrl(options.public))
        : await runChecks();
      const lines = results.map(
        ({ name, ok, message, is_warning }) => `${is_warning ? '!' : ok ? '✓' : '✗'} ${name.padEnd(9)} ${message}`,
      );
      process.stdout.write(`${options.json ? JSON.stringify({ checks: results }) : lines.join('\n')}\n`);
      if (results.some((result) => !result.ok)) process.exitCode = 1;
    });
}

function getPublicUrl(given: string | true): string {
  return (given === true ? (process.env['THALAMUS_PUBLIC_URL'] ?? getServerUrl()) : given).replace(/\/+$/, '');
}

async function runChecks() {
  const results = [];
  for (const check of checks) results.push(await runCheck(check));
  return results;
}

const checks: Check[] = [
  { name: 'node', run: async () => `Node ${process.versions.node}` },
  { name: 'settings', run: checkSettings },
  { name: 'database', run: checkDatabase },
  { name: 'secrets', run: checkSecrets },
  { name: 'sandbox', run: reportSandbox },
  { name: 'server', run: checkServer },
  { name: 'key', run: checkKey },
];

/** Runs a check. */
export async function runCheck(check: Check): Promise<CheckResult> {
  try {
    const answer = await check.run();
    if (typeof answer === 'string') return { name: check.name, ok: true, message: answer };
    return { name: check.name, ok: true, message: answer.message, is_warning: true };
  } catch (error) {
    return { name: check.name, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

async function checkSettings(): Promise<string> {
  const { readConfig } = await import('../../src/configuration.ts');
  const config = readConfig();
  const database = config.databaseUrl ? 'your database (DATABASE_URL)' : `embedded database in ${config.dataDir}`;
  return `${database}; ${formatModels(config)}`;
}

async function checkDatabase(): Promise<string | Warning> {
  const { readConfig } = await import('../../src/configuration.ts');
  return checkLogin(readConfig());
}

/** Whether the login that serves calls has more rights than needed, in case a statement bypasses row level security. */
export async function checkLogin({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<string | Warning> {
  if (!databaseUrl) return 'calls are served by a login that owns nothing';
  const { describeLogin } = await import('#platform/database');
  const { name, isSuperuser, ownsTables } = await describeLogin({ connectionString: databaseUrl });
  if (!isSuperuser && !ownsTables) return `calls are served by the login ${name}, which owns nothing`;
  const why = isSuperuser ? 'is a superuser' : 'owns the tables';
  return new Warning(
    `calls are served by the login ${name}, which ${why}. Create a login that owns nothing for DATABASE_URL, and use this one in THALAMUS_OWNER_DATABASE_URL.`,
  );
}

async function checkSecrets(): Promise<string | Warning> {
  const { readConfig } = await import('../../src/configuration.ts');
  return checkMasterKey(readConfig());
}

type KeySettings = Pick<Config, 'databaseUrl' | 'ownerDatabaseUrl' | 'dataDir' | 'masterKey' | 'previousMasterKey'>;

/** Whether the master key of the settings, or of the data folder, opens the stored secrets. Creates no key. */
export async function checkMasterKey(config: KeySettings): Promise<string | Warning> {
  const { databaseUrl, ownerDatabaseUrl, dataDir, masterKey, previousMasterKey } = config;
  const { findRunningPostgres } = await import('#platform/database');
  const { checkRootKeys, findRootKey, createLocalRootKey } = await import('#platform/vault');
  const url = ownerDatabaseUrl ?? databaseUrl;
  const owner = url ? { connectionString: url } : findRunningPostgres(dataDir);
  if (!owner) return 'the server is not running; it checks the master key when it starts';
  const keys = [masterKey ?? findRootKey(dataDir), previousMasterKey].flatMap((key) => key ?? []);
  await checkRootKeys(
    owner,
    keys.map((key) => createLocalRootKey(key).id),
  );
  if (keys.length) return 'the master key opens the stored secrets';
  return new Warning(`there is no master key in ${dataDir} yet; the server creates one when it starts`);
}

function formatModels({ llm }: Config): string {
  if (!llm) return 'no language model (optional)';
  const main = `language model ${llm.main.model} of ${llm.main.provider}`;
  return llm.fast ? `${main}, for short turns ${llm.fast.model} of ${llm.fast.provider}` : main;
}

/** Where Deno cannot run, everything else works, and automations report the reason. */
async function reportSandbox(): Promise<string> {
  const { createSandbox } = await import('#platform/sandbox');
  return checkSandbox(createSandbox());
}

/** Closes the sandbox. */
export async function checkSandbox(made: Sandbox): Promise<string> {
  return made.check().finally(() => made.close());
}

async function checkServer(): Promise<string> {
  const url = getServerUrl();
  const response = await reach(`${url}/readyz`);
  if (!response.ok) throw new Error(`${url} runs, but its database does not answer. Look at the server's log.`);
  return `${url} is ready`;
}

async function checkKey(): Promise<string> {
  const { caller, scopes } = await callOperation(readProfile(), 'who_am_i', {});
  return `«${caller.label}» with ${scopes.length} scopes`;
}
