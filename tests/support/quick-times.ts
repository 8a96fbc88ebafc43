/**
 * Settings of a server whose sends are cut or answered late on purpose, so that a test waits for its time-outs: short, and yet long
 * enough for a busy machine to answer in.
 */
export const quickTimes = { THALAMUS_SEND_TIMEOUT_SECONDS: '2.5', THALAMUS_SETTLE_AFTER_SECONDS: '0.5' };
