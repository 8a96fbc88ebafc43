/** Settings that cannot be used. The message has one line per variable and says what it should be. */
export class ConfigError extends Error {}
