/** Invalid settings. The message has one line per variable with its rule. */
export class ConfigError extends Error {}
