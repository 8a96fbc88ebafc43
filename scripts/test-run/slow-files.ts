/** Test files that may take longer than 20 s in `npm test`, each with the reason. */
export const slowFiles: Readonly<Record<string, string>> = {};
