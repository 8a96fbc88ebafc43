/** The settings of a server for a provider that is emulated, with its OAuth client. */
export function buildOauthSettings(
  provider: string,
  emulator: { url: string; client: { id: string; secret: string } },
) {
  const name = provider.toUpperCase();
  return {
    [`THALAMUS_${name}_BASE_URL`]: emulator.url,
    [`THALAMUS_${name}_CLIENT_ID`]: emulator.client.id,
    [`THALAMUS_${name}_CLIENT_SECRET`]: emulator.client.secret,
  };
}
