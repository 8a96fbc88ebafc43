/** The environment of PostgreSQL's programs: nothing of ours, since PG* variables would change what they do. */
export function buildProgramEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
