/**
 * How Node runs a server. Much of what a sync or an import makes is garbage at once; with its usual room for that Node
 * would hold a hundred megabytes more, for no gain in speed: little room for what is young, and a collection of all when the heap has
 * doubled, not later.
 */
export const nodeFlags = ['--max-semi-space-size=12', '--heap-growing-percent=100'];
