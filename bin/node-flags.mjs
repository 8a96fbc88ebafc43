/**
 * The options with which Node runs a server. Syncs and imports create much short-lived data; with Node's defaults the
 * server would use a hundred megabytes more without being faster. So the young generation is small, and a full
 * collection starts when the heap has doubled.
 */
export const nodeFlags = ['--max-semi-space-size=12', '--heap-growing-percent=100'];
