/** Whether an error has one of these codes: from the system (`ENOENT`) or from PostgreSQL (`57P03`). */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
