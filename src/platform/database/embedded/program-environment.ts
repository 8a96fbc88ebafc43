/**
 * The environment of PostgreSQL's programs. It contains none of our variables, because PG* variables would change their
 * behaviour.
 */
export function buildProgramEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
